"""JSON types of explanations and forecasts: why a job waits, and when one may start (docs/api.md)."""

from typing_extensions import TypedDict

from api.http.answers import Reason, Time
from api.jobs.cost_answers import CostRange
from scheduler.core.jobs.job import JobState


class PriorityParts(TypedDict):
    """The factors that order waiting jobs; the first that differs decides. `expected_run_time` is in seconds."""

    is_reserved_for: bool
    is_long_waiting: bool
    is_below_guarantee: bool
    priority: int
    expected_run_time: float | None
    submitted_at: Time


class Starts(TypedDict):
    """When a job is expected to start; null if that is unknown. `after` is the job whose end it waits for."""

    earliest: Time | None
    latest: Time | None
    after: str | None


class Misfit(TypedDict):
    """A warm pool of the job's type, and the request fields that prevent the job from using it."""

    pool: str
    fields: list[str]


class Explanation(TypedDict):
    """The reason why a job waits. For a job that does not wait, only name, state, reason and pools are given.

    `near_limits` describes spending limits that are nearly used: the job may soon wait for these.
    """

    name: str
    state: JobState
    position: int | None
    reason: Reason
    waits_for: list[str]
    priority: PriorityParts | None
    starts: Starts | None
    near_limits: list[str]
    pools: list[Misfit]


class Forecast(TypedDict):
    """Forecast of a submission. `behind` is the number of jobs before it; null if more than 5000."""

    starts_now: bool
    behind: int | None
    preempts: list[str]
    reason: Reason
    starts: Starts
    cost_range: CostRange
