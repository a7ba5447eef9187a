"""Types for explanations of waiting jobs, and for forecasts."""

from typing import TypedDict

from sagequeue.contract.costs import CostRange
from sagequeue.contract.jobs import Choice, Reason


class PriorityParts(TypedDict):
    """The priority factors of a queued job, most important first (docs/explain/scheduling.md)."""

    is_reserved_for: bool
    is_long_waiting: bool
    is_below_quota: bool
    priority: int
    owner_weighted_seconds: float | None  # its owner's recent use; None: owners in its team take no turns
    expected_run_time: float | None  # seconds
    submitted_at: str


class Starts(TypedDict):
    """The expected start of a job. None means unknown; `after` names the job that must end first."""

    earliest: str | None
    latest: str | None
    after: str | None


class Misfit(TypedDict):
    """A warm pool of the job's instance type, and the fields of the request that do not match the pool."""

    pool: str
    fields: list[str]


class Explanation(TypedDict):
    """The reason for a job's state. If the job is not waiting, only `name`, `state` and `reason` are set."""

    name: str
    state: str
    position: int | None
    reason: Reason
    waits_for: list[str]
    priority: PriorityParts | None
    starts: Starts | None
    near_limits: list[str]  # sentences about spending limits that are nearly used up
    ranking: list[str]  # a sentence for each choice, best first, if the option `order` is `best`
    deadline: str | None  # `met`, `at_risk`, `missed` or `unknown`; None without a deadline
    pools: list[Misfit]


class PriorityForecast(TypedDict):
    """The jobs that would stop or start immediately if some jobs had another priority."""

    preempts: list[str]
    starts_now: list[str]


class Forecast(TypedDict):
    """The expected start of a request if it were submitted now."""

    starts_now: bool
    behind: int | None
    preempts: list[str]
    reason: Reason
    starts: Starts
    deadline: str | None  # as in an explanation
    cost_range: CostRange
    choices: list[Choice]  # the request itself, then its alternatives
