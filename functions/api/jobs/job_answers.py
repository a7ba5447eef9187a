"""JSON types of jobs, their cost, explanations and forecasts (docs/api.md). Costs are in US dollars."""

from typing import Any, NotRequired

from typing_extensions import TypedDict

from api.answers import BudgetLine, Day, Reason, Time, Violation
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job import ActionKind, JobState


class AttemptCost(TypedDict):
    """The amount that SageMaker bills for an attempt; until that is final, the most that it can be so far.

    `dollars` are for training, `retained_dollars` for the warm pool that it left. `saved_dollars` is the saving of spot
    instances. `wasted_dollars_at_most` is for training lost to a preemption or a failure.
    """

    dollars: float
    retained_dollars: float
    saved_dollars: float
    wasted_dollars_at_most: float
    final: bool


class JobCost(AttemptCost):
    """The sum over the attempts whose types have a known price. `prices_as_of` is the day of the oldest price."""

    unknown_types: list[str]
    prices_as_of: Day | None


class CostRange(TypedDict):
    """The cost of one attempt that runs to its end; null if a price is not known. Times are in seconds.

    The least is for `expected_run_time`, learned from similar jobs, with the cheapest choice. The most is for the time
    limit, with the dearest choice. A job that is preempted or retried may cost more in all. With `spot` it may cost
    less: `least_dollars` includes that only if the prices document has a `spot_share`.
    """

    least_dollars: float | None
    most_dollars: float | None
    expected_run_time: float
    max_runtime: int
    spot: bool
    unknown_types: list[str]
    prices_as_of: Day | None


class Attempt(TypedDict):
    """A SageMaker training job that runs a job of the queue. It has no outcome while it is live.

    `on_pool` is the attempt whose warm pool it started on, as SageMaker reports it. `billable_seconds` were billed for
    each instance; null until SageMaker reports them. `retained_seconds` are the same for the warm pool that it left,
    known once the pool is gone. `choice` counts from 0. `selected` is the instance type that SageMaker selected from
    the job's InstancePreferences, once it reports it. `cost` is given only in GET /jobs/{name}; null without a price.
    """

    number: int
    name: str
    outcome: Outcome | None
    status: str
    secondary_status: str
    message: str
    reserved_at: Time
    training_started_at: Time | None
    ended_at: Time | None
    failure_reason: str
    beneficiary: str
    interruptions: int
    failure_class: FailureClass | None
    action: str
    on_pool: str | None
    billable_seconds: int | None
    retained_seconds: int
    choice: int
    selected: dict[str, int] | None
    cost: NotRequired[AttemptCost | None]


class Options(TypedDict):
    """The options of a job. `checkpoint_interval` is in seconds."""

    never_preempt: bool
    checkpoint_interval: int | None
    idle_exempt: bool


class Choice(TypedDict):
    """A way in which a job may run: its request, or an alternative. Times are in seconds."""

    instances: dict[str, int]
    spot: bool
    max_runtime: int
    wait_for_better: int


class Action(TypedDict):
    """An action on a job; `by` is the caller's ARN, or `queue`."""

    at: Time
    kind: ActionKind
    by: str
    message: str


class Job(TypedDict):
    """A job of the queue.

    `request`, the body as submitted, `actions`, the last fifty actions on it, and `cost` are given only in GET
    /jobs/{name}. `cost_range` is given only in the answer to a submission. `max_runtime` is in seconds. `choices` are
    its request and its alternatives; `choice` is the one that it runs with, or ran with last, from 0. `preferences` are
    the instance types from which SageMaker selects one. `instances` has all of them until then, then that one.
    """

    name: str
    arn: str
    state: JobState
    priority: int
    owner: str
    instances: dict[str, int]
    preferences: list[str]
    submitted_at: Time
    updated_at: Time
    position: int | None
    reason: Reason
    preemptions: int
    max_runtime: int
    has_checkpoints: bool
    team: str | None
    options: Options
    attempts: list[Attempt]
    on_demand: bool
    choice: int
    choices: list[Choice]
    not_before: Time | None
    warnings: list[Violation]
    actions: NotRequired[list[Action]]
    request: NotRequired[dict[str, Any]]
    cost: NotRequired[JobCost]
    cost_range: NotRequired[CostRange]


class Listing(TypedDict):
    """One page of jobs. `next` is the token of the next page."""

    jobs: list[Job]
    next: str | None
    budget: dict[str, BudgetLine]


class RefusedCancellation(TypedDict):
    """A job that could not be cancelled."""

    name: str
    error: str
    message: str


class Cancellations(TypedDict):
    """The jobs that were cancelled. `more`: more jobs match the filter."""

    cancelled: list[str]
    refused: list[RefusedCancellation]
    more: bool


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
