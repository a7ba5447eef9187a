"""Jobs: submissions, states, attempts and lists of jobs."""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from sagequeue.contract.costs import AttemptCost, CostRange, JobCost
from sagequeue.contract.documents import Violation

#: States of a job that waits for instances.
QUEUED = frozenset({"pending", "preempted"})
#: States of a job that holds instances.
LIVE = frozenset({"launching", "running", "stopping"})
#: States of a job that has ended.
FINISHED = frozenset({"completed", "failed", "stopped"})
#: Every state of a job that has not ended.
UNFINISHED = ("launching", "running", "stopping", "pending", "preempted", "held", "parked")

#: A CreateTrainingJob request in SageMaker's own shape; the client reads as little of it as possible.
TrainingRequest = dict[str, Any]


class Alternative(TypedDict):
    """Another way to run a job: the members of its request that differ."""

    request: Mapping[str, Any]
    wait_for_better: NotRequired[int]  # seconds to wait for the better choices before it


class JobOptions(TypedDict, total=False):
    """Options beside a request; the tags `queue:priority` and so on have the same effect."""

    priority: int
    hold: bool
    never_preempt: bool
    idle_exempt: bool
    checkpoint_interval: int  # seconds
    alternatives: Sequence[Alternative]  # to the request, in order of preference; no tag exists for them


class Reason(TypedDict):
    code: str
    message: str


class Attempt(TypedDict):
    """One real SageMaker training job for a job of the queue; `outcome` is None while it is live."""

    number: int
    name: str
    outcome: str | None
    status: str
    secondary_status: str
    message: str
    reserved_at: str
    training_started_at: str | None
    ended_at: str | None
    failure_reason: str
    beneficiary: str
    interruptions: int  # the number of spot interruptions
    failure_class: str | None
    action: str  # the reaction to a failure
    on_pool: str | None  # the attempt whose warm pool it used, as SageMaker reported
    billable_seconds: int | None  # for each instance, once SageMaker has reported it
    retained_seconds: int  # billed for the warm pool that it left, for each instance
    choice: int  # the index of the job's choice
    selected: dict[str, int] | None  # the selected instance preference, once SageMaker has reported it
    cost: NotRequired[AttemptCost | None]  # only in the answer about one job; None: a price is unknown


class Action(TypedDict):
    """An action on a job; `by` is the caller's ARN, or `queue`."""

    at: str
    kind: str
    by: str
    message: str


class Choice(TypedDict):
    """One of a job's choices: its request, or an alternative to it."""

    instances: dict[str, int]
    spot: bool
    max_runtime: int
    wait_for_better: int


class Options(TypedDict):
    never_preempt: bool
    checkpoint_interval: int | None  # seconds
    idle_exempt: bool  # not stopped for idle GPUs


class Job(TypedDict):
    name: str
    arn: str
    state: str
    priority: int
    owner: str
    instances: dict[str, int]  # all preferences, until SageMaker has selected one
    preferences: list[str]  # types that SageMaker selects from; empty without InstancePreferences
    submitted_at: str
    updated_at: str
    position: int | None
    reason: Reason
    preemptions: int
    max_runtime: int
    has_checkpoints: bool
    attempts: list[Attempt]
    team: str | None
    options: Options
    actions: NotRequired[list[Action]]  # only in the answer about one job
    request: NotRequired[TrainingRequest]  # same
    cost: NotRequired[JobCost]  # same
    cost_range: NotRequired[CostRange]  # only in the answer to a submission
    warnings: list[Violation]  # broken rules that only warn
    on_demand: bool  # runs on demand although its request asks for spot instances
    choice: int  # the index of the current or last choice; 0 is its request
    choices: list[Choice]  # empty without alternatives
    not_before: str | None


class JobFilter(TypedDict, total=False):
    """Selects jobs that match every given filter. `name` is a prefix of the job's name."""

    state: str | Sequence[str]
    owner: str
    team: str
    name: str
    instance_type: str


class BudgetLine(TypedDict):
    limit: int
    held: int


class Listing(TypedDict):
    jobs: list[Job]
    next: str | None
    budget: dict[str, BudgetLine]


class RefusedCancellation(TypedDict):
    name: str
    error: str
    message: str


class Cancellations(TypedDict):
    """The result of a batch; `more`: further jobs match the filter."""

    cancelled: list[str]
    refused: list[RefusedCancellation]
    more: bool
