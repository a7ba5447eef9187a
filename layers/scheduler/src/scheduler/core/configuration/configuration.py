"""The operators' configuration, both as the queue uses it and as it is stored, version by version."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.core.calendar.calendar import Calendar
from scheduler.core.callers.permissions import CallerEntry
from scheduler.core.guardrails.rules import Rules
from scheduler.core.history.schema import NoticeSettings
from scheduler.core.idle_gpus.hangs.hang_rule import HangRule
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.idle_gpus.nan_losses.nan_rule import NanRule
from scheduler.core.jobs.team import Team
from scheduler.core.planner.policy import Policy
from scheduler.core.retries.retry_policy import RetryPolicy
from scheduler.core.spending.limits import SpendingRules
from scheduler.core.spending.prices.schema import OperatorsPrices
from scheduler.core.warm_pools.pool_rules import PoolRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The value of each kind of section. If no version can be read, `is_readable` is False and no job starts."""

    rules: Rules
    callers: tuple[CallerEntry, ...]
    calendar: Calendar
    pools: tuple[PoolRule, ...]
    prices: OperatorsPrices
    spending: SpendingRules
    policy: Policy  # including the teams in `shares`
    idle_gpus: IdleRule
    hangs: HangRule
    nan: NanRule
    retries: RetryPolicy
    notices: NoticeSettings
    is_readable: bool = True

    @property
    def teams(self) -> tuple[Team, ...]:
        return self.policy.teams


@dataclass(frozen=True, slots=True)
class Deployment:
    """The last file that the stack applied during a deployment."""

    version: int = 0  # the version that the stack applied; 0 if it never applied a file
    digest: str = ""  # the file's digest
    digest_before: str = ""  # digest of the replaced file; empty if the stack cannot return to that file


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigVersion:
    """A stored version of the configuration. The readable version with the highest number is current."""

    version: int  # from 1; 0 stands for the defaults, which nobody applied
    sections: str  # JSON with the content of each section that has been applied
    changed: tuple[str, ...] = ()  # the kinds that differ from the previous version
    author: str = ""  # the caller's ARN, or `stack NAME`
    applied_at: datetime | None = None
    comment: str = ""
    deployed: Deployment = Deployment()  # at this version or earlier: versions by other authors copy it


#: The version before the first one.
NOTHING_APPLIED = ConfigVersion(version=0, sections="{}")
