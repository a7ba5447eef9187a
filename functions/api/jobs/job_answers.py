"""JSON types of jobs (docs/api.md)."""

from typing import Any, NotRequired

from typing_extensions import TypedDict

from api.http.answers import BudgetLine, Reason, Time, Violation
from api.jobs import cost_answers
from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job import JobState


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
    cost: NotRequired[cost_answers.AttemptCost | None]


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
    cost: NotRequired[cost_answers.JobCost]
    cost_range: NotRequired[cost_answers.CostRange]


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
