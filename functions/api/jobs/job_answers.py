"""The JSON of jobs (docs/api.md), as types."""

from typing import Any, NotRequired

from typing_extensions import TypedDict

from api.http import answers
from api.jobs import cost_answers
from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job import JobState


class Attempt(TypedDict):
    """A SageMaker training job for a job of the queue. It has no outcome while it is live.

    `on_pool` is the attempt whose warm pool it started on, as SageMaker said; `billable_seconds` were billed for each
    of its instances, null until SageMaker has said it, and `retained_seconds` for the pool that it left itself, the
    same, once that is gone. `choice` counts from 0. `selected` is what SageMaker took of the job's InstancePreferences,
    once it has told. `cost` is there only where one job is shown, and null where a price is not known.
    """

    number: int
    name: str
    outcome: Outcome | None
    status: str
    secondary_status: str
    message: str
    reserved_at: answers.Time
    training_started_at: answers.Time | None
    ended_at: answers.Time | None
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
    """`checkpoint_interval` is in seconds."""

    never_preempt: bool
    checkpoint_interval: int | None
    idle_exempt: bool


class Choice(TypedDict):
    """One of the ways in which a job may run. Times in seconds."""

    instances: dict[str, int]
    spot: bool
    max_runtime: int
    wait_for_better: int


class Action(TypedDict):
    """What was done to a job; `by` is the caller's ARN, or `queue`."""

    at: answers.Time
    kind: ActionKind
    by: str
    message: str


class Job(TypedDict):
    """A job. `request`, its body as submitted, `actions` and `cost` are there only where one job is shown, and
    `cost_range` only in the answer to a submission.

    `max_runtime` is in seconds; `actions` are what was done to it, the last fifty. `choices` are its request and the
    alternatives to it, if there are any; `choice` is the one that it runs with, or ran with last, from 0.
    `preferences` are the types that SageMaker selects one of: `instances` are all of them until it has, then that one.
    """

    name: str
    arn: str
    state: JobState
    priority: int
    owner: str
    instances: dict[str, int]
    preferences: list[str]
    submitted_at: answers.Time
    updated_at: answers.Time
    position: int | None
    reason: answers.Reason
    preemptions: int
    max_runtime: int
    has_checkpoints: bool
    team: str | None
    options: Options
    attempts: list[Attempt]
    on_demand: bool
    choice: int
    choices: list[Choice]
    not_before: answers.Time | None
    warnings: list[answers.Violation]
    actions: NotRequired[list[Action]]
    request: NotRequired[dict[str, Any]]
    cost: NotRequired[cost_answers.JobCost]
    cost_range: NotRequired[cost_answers.CostRange]


class Listing(TypedDict):
    """One page; `next` is the token of the page after it."""

    jobs: list[Job]
    next: str | None
    budget: dict[str, answers.BudgetLine]


class RefusedCancellation(TypedDict):
    name: str
    error: str
    message: str


class Cancellations(TypedDict):
    """`more`: there are others that fit the filter."""

    cancelled: list[str]
    refused: list[RefusedCancellation]
    more: bool
