"""A job, what is submitted for one, and lists of jobs."""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from sagequeue.contract.costs import AttemptCost, CostRange, JobCost
from sagequeue.contract.rules import Violation

#: States in which a job waits for its instances …
QUEUED = frozenset({"pending", "preempted"})
#: … holds instances …
LIVE = frozenset({"launching", "running", "stopping"})
#: … and has ended for good.
FINISHED = frozenset({"completed", "failed", "stopped"})
#: Every state in which a job has not ended.
UNFINISHED = ("launching", "running", "stopping", "pending", "preempted", "held", "parked")

#: A CreateTrainingJob request: SageMaker's own shape, which the client does not look into more than it must.
TrainingRequest = dict[str, Any]


class Alternative(TypedDict):
    """Another way to run a job: the members of its request that differ."""

    request: Mapping[str, Any]
    wait_for_better: NotRequired[int]  # seconds that the choices before it are waited for


class JobOptions(TypedDict, total=False):
    """What may be given beside a request; the tags `queue:priority` and so on say the same."""

    priority: int
    hold: bool
    never_preempt: bool
    idle_exempt: bool
    checkpoint_interval: int  # seconds
    alternatives: Sequence[Alternative]  # to the request, the better ones first; no tag says this


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
    interruptions: int  # how often its spot instances were taken away
    failure_class: str | None
    action: str  # what was done about a failure
    on_pool: str | None  # the attempt whose warm pool it started on, as SageMaker said
    billable_seconds: int | None  # for each of its instances, once SageMaker has said it
    retained_seconds: int  # billed for the pool that it left, for each of its instances
    choice: int  # which of the job's choices it is
    selected: dict[str, int] | None  # what SageMaker took of its job's preferences, once it has told
    cost: NotRequired[AttemptCost | None]  # only in the answer about one job; None: a price is not known


class Action(TypedDict):
    """What was done to a job; `by` is the caller's ARN, or `queue`."""

    at: str
    kind: str
    by: str
    message: str


class Choice(TypedDict):
    """One of the ways in which a job may run."""

    instances: dict[str, int]
    spot: bool
    max_runtime: int
    wait_for_better: int


class Options(TypedDict):
    never_preempt: bool
    checkpoint_interval: int | None  # seconds
    idle_exempt: bool  # its GPUs may be idle


class Job(TypedDict):
    name: str
    arn: str
    state: str
    priority: int
    owner: str
    instances: dict[str, int]  # of preferences all, until SageMaker has selected one
    preferences: list[str]  # the types that SageMaker selects one of; none without InstancePreferences
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
    warnings: list[Violation]  # what rules had against it that do not refuse
    on_demand: bool  # although its request asks for spot instances
    choice: int  # which of its choices it runs with, or ran with last; 0 is its request
    choices: list[Choice]  # none without alternatives
    not_before: str | None


class JobFilter(TypedDict, total=False):
    """Which jobs: all that fit everything that is given. `name` is how the name begins."""

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
    """`more`: other jobs fit the filter, too."""

    cancelled: list[str]
    refused: list[RefusedCancellation]
    more: bool
