"""The JSON of why a job waits and when one may start (docs/api.md), as types."""

from typing_extensions import TypedDict

from api.http import answers
from api.jobs import cost_answers
from scheduler.core.jobs.job import JobState


class PriorityParts(TypedDict):
    """What places a job among those that wait, the first difference deciding. `expected_run_time` is in seconds."""

    is_reserved_for: bool
    is_long_waiting: bool
    is_below_guarantee: bool
    priority: int
    expected_run_time: float | None
    submitted_at: answers.Time


class Starts(TypedDict):
    """When a job is expected to start; null where nobody can tell. `after` is the job whose end it waits for."""

    earliest: answers.Time | None
    latest: answers.Time | None
    after: str | None


class Misfit(TypedDict):
    """A warm pool of the job's type, and the fields of the request that keep the job from it."""

    pool: str
    fields: list[str]


class Explanation(TypedDict):
    """Of a job that does not wait only name, state, reason and pools say something.

    `near_limits` are sentences on limits on spending that are nearly used: soon it may wait for these.
    """

    name: str
    state: JobState
    position: int | None
    reason: answers.Reason
    waits_for: list[str]
    priority: PriorityParts | None
    starts: Starts | None
    near_limits: list[str]
    pools: list[Misfit]


class Forecast(TypedDict):
    """What would become of a submission. `behind` is the number of jobs before it; null for more than 5000."""

    starts_now: bool
    behind: int | None
    preempts: list[str]
    reason: answers.Reason
    starts: Starts
    cost_range: cost_answers.CostRange
