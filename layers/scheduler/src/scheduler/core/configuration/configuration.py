"""The operators' configuration as the queue uses it, and as it is stored: one version after the other."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.core.calendar.calendar import Calendar
from scheduler.core.callers.permissions import CallerEntry
from scheduler.core.guardrails.rules import Rules
from scheduler.core.history.schema import NoticeSettings
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.jobs.team import Team
from scheduler.core.planner.policy import Policy
from scheduler.core.retries.retry_policy import RetryPolicy
from scheduler.core.spending.limits import SpendingRules
from scheduler.core.spending.prices.schema import OperatorsPrices
from scheduler.core.warm_pools.pool_rules import PoolRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The value of each kind of section. `is_readable` is False if no version can be read: then no job starts."""

    rules: Rules
    callers: tuple[CallerEntry, ...]
    calendar: Calendar
    pools: tuple[PoolRule, ...]
    prices: OperatorsPrices
    spending: SpendingRules
    policy: Policy  # with the teams of `shares`
    idle_gpus: IdleRule
    retries: RetryPolicy
    notices: NoticeSettings
    is_readable: bool = True

    @property
    def teams(self) -> tuple[Team, ...]:
        return self.policy.teams


@dataclass(frozen=True, slots=True)
class Deployment:
    """The last file that the stack applied at a deployment."""

    version: int = 0  # the version that the stack applied; 0: it never applied a file
    digest: str = ""  # of the file
    digest_before: str = ""  # of the file that this deployment replaced; empty if there is no way back to it


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigVersion:
    """A stored version. The highest one is current."""

    version: int  # from 1; 0 stands for the defaults, which nobody applied
    sections: str  # JSON: the content of each section that was ever applied
    changed: tuple[str, ...] = ()  # the kinds that differ from the version before
    author: str = ""  # the caller's ARN, or `stack NAME`
    applied_at: datetime | None = None
    comment: str = ""
    deployed: Deployment = Deployment()  # at this version or before: versions of other authors keep it


#: The version before the first one.
NOTHING_APPLIED = ConfigVersion(version=0, sections="{}")
