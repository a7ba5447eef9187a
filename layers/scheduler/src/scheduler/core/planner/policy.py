"""The settings of the policy: one frozen value, checked when it is made."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import field, fields, frozen

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.team import Team
from scheduler.errors.internal import BadSetting

_WEEK = 7 * 86_400


class Ordering(StrEnum):
    """Who comes first among jobs of one priority."""

    FIFO = "fifo"  # who waits longest
    SHORTEST = "shortest"  # who is expected to run shortest


def _whole(default: int, low: int, high: int) -> Any:
    return field(default=default, metadata={"range": (low, high)})


@frozen(kw_only=True)
class Policy:
    """Times in seconds. The defaults are what we recommend; docs/policy.md explains each."""

    ordering: Ordering = Ordering.FIFO
    patience: int = _whole(300, 0, _WEEK)  # how long a job waits before it preempts
    protected_run_time: int = _whole(5400, 0, _WEEK)  # how long an attempt runs before it can be preempted
    preemptions_per_job: int = _whole(2, 0, 1000)
    starvation_after: int = _whole(_WEEK, 0, 365 * 86_400)  # how long a job waits before it may claim the share
    starvation_share: float = field(default=0.1, metadata={"range": (0.0, 1.0)})  # of the budget; 0 turns it off
    usage_half_life: int = _whole(_WEEK, 60, 365 * 86_400)
    running_per_owner: int = _whole(0, 0, 1_000_000)  # jobs; 0: no cap
    queued_per_owner: int = _whole(0, 0, 1_000_000)  # the same of those that wait
    teams: tuple[Team, ...] = ()

    def __attrs_post_init__(self) -> None:
        for setting in fields(type(self)):
            if bounds := setting.metadata.get("range"):
                _refuse_outside(setting.name, getattr(self, setting.name), bounds)

    @classmethod
    def parse(cls, values: Mapping[str, Any], budget: Demand) -> "Policy":
        """Read a policy file's content. Raises BadSetting with the key and what is allowed."""
        known = {setting.name for setting in fields(cls)}
        if unknown := sorted(values.keys() - known):
            raise BadSetting(unknown[0], f"is not a setting of the policy; there are {', '.join(sorted(known))}")
        read = dict(values)
        if "ordering" in read:
            read["ordering"] = _ordering(read["ordering"])
        read["teams"] = Team.parse_all(read.get("teams", {}), budget)
        return cls(**read)


def _ordering(text: object) -> Ordering:
    try:
        return Ordering(str(text))
    except ValueError as error:
        raise BadSetting("ordering", f"{text!r} is not one of {', '.join(Ordering)}") from error


def _refuse_outside(name: str, value: object, bounds: tuple[float, float]) -> None:
    low, high = bounds
    kind = float if isinstance(low, float) else int
    is_number = isinstance(value, int | kind) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:  # type: ignore[operator]  # is_number says that it is one
        raise BadSetting(name, f"{value!r} is not a number from {low} to {high}")


#: A job of higher priority takes its place at once.
IMMEDIATE_PREEMPTION = Policy(patience=0, protected_run_time=0)
