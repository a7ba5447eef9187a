"""Why a job waits, and when one may start."""

from typing import TypedDict

from sagequeue.contract.costs import CostRange
from sagequeue.contract.jobs import Reason


class PriorityParts(TypedDict):
    """What places a queued job, the first difference deciding (docs/policy.md)."""

    is_reserved_for: bool
    is_long_waiting: bool
    is_below_guarantee: bool
    priority: int
    expected_run_time: float | None  # seconds
    submitted_at: str


class Starts(TypedDict):
    """When a job is expected to start. None is "nobody knows"; `after` names the job whose end it waits for."""

    earliest: str | None
    latest: str | None
    after: str | None


class Misfit(TypedDict):
    """A warm pool of the job's type, and the fields of the request that keep the job from it."""

    pool: str
    fields: list[str]


class Explanation(TypedDict):
    """Why a job is where it is; of a job that does not wait only name, state and reason say something."""

    name: str
    state: str
    position: int | None
    reason: Reason
    waits_for: list[str]
    priority: PriorityParts | None
    starts: Starts | None
    near_limits: list[str]  # on spending: sentences on those that are nearly used
    pools: list[Misfit]


class Forecast(TypedDict):
    """What would happen to a request if it were submitted now."""

    starts_now: bool
    behind: int | None
    preempts: list[str]
    reason: Reason
    starts: Starts
    cost_range: CostRange
