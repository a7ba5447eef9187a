"""Defines the settings of the policy as one frozen value, validated when it is created."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from scheduler.core.documents.setting_values import choice_of
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.team import Team
from scheduler.errors.internal import BadSetting

_WEEK = 7 * 86_400


class Ordering(StrEnum):
    """Orders jobs of the same priority."""

    FIFO = "fifo"  # the job that has waited longest first
    SHORTEST = "shortest"  # the job with the shortest expected run time first


def _integer_setting(default: int, low: int, high: int) -> Any:
    return field(default=default, metadata={"range": (low, high)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Times are in seconds. The defaults are recommended; docs/policy.md explains each setting."""

    ordering: Ordering = Ordering.FIFO
    patience: int = _integer_setting(300, 0, _WEEK)  # how long a job waits before it preempts
    protected_run_time: int = _integer_setting(5400, 0, _WEEK)  # how long an attempt runs before it can be preempted
    preemptions_per_job: int = _integer_setting(2, 0, 1000)
    starvation_after: int = _integer_setting(_WEEK, 0, 365 * 86_400)  # how long a job waits before it may use the share
    starvation_share: float = field(default=0.1, metadata={"range": (0.0, 1.0)})  # of the budget; 0 turns it off
    usage_half_life: int = _integer_setting(_WEEK, 60, 365 * 86_400)
    running_per_owner: int = _integer_setting(0, 0, 1_000_000)  # jobs; 0: no cap
    queued_per_owner: int = _integer_setting(0, 0, 1_000_000)  # waiting jobs; 0: no cap
    teams: tuple[Team, ...] = ()

    def __post_init__(self) -> None:
        for setting in fields(type(self)):
            if bounds := setting.metadata.get("range"):
                low, high = bounds
                value = getattr(self, setting.name)
                kind = float if isinstance(low, float) else int
                if not isinstance(value, int | kind) or isinstance(value, bool) or not low <= value <= high:
                    raise BadSetting(setting.name, f"{value!r} is not a number from {low} to {high}")

    @classmethod
    def parse(cls, values: Mapping[str, Any], budget: Demand) -> "Policy":
        """Reads the content of a policy file. Raises BadSetting with the key and the allowed values."""
        known = {setting.name for setting in fields(cls)}
        if unknown := sorted(values.keys() - known):
            raise BadSetting(unknown[0], f"is not a policy setting; choose from {', '.join(sorted(known))}")
        read = dict(values)
        if "ordering" in read:
            read["ordering"] = choice_of(Ordering, "ordering", read["ordering"])
        read["teams"] = Team.parse_all(read.get("teams", {}), budget)
        return cls(**read)


#: A job of higher priority preempts without waiting.
IMMEDIATE_PREEMPTION = Policy(patience=0, protected_run_time=0)
