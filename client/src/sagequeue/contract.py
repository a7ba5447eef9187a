"""The JSON that the queue's REST API speaks (docs/api.md), as types.

The names are those of docs/openapi.json. The client hands these on as they came: what `--json` prints is what the API
answered.
"""

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

#: A CreateTrainingJob request: SageMaker's own shape, which the client does not look into more than it must.
TrainingRequest = dict[str, Any]

#: States in which a job waits for its instances …
QUEUED = frozenset({"pending", "preempted"})
#: … holds instances …
LIVE = frozenset({"launching", "running", "stopping"})
#: … and has ended for good.
FINISHED = frozenset({"completed", "failed", "stopped"})
#: Every state in which a job has not ended.
UNFINISHED = ("launching", "running", "stopping", "pending", "preempted", "held", "parked")


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


class Action(TypedDict):
    """What was done to a job; `by` is the caller's ARN, or `queue`."""

    at: str
    kind: str
    by: str
    message: str


class Job(TypedDict):
    name: str
    arn: str
    state: str
    priority: int
    owner: str
    instances: dict[str, int]
    submitted_at: str
    updated_at: str
    position: int | None
    reason: Reason
    preemptions: int
    max_runtime: int
    has_checkpoints: bool
    attempts: list[Attempt]
    team: str | None
    options: "Options"
    actions: NotRequired[list[Action]]  # only in the answer about one job
    request: NotRequired[TrainingRequest]  # same
    warnings: list["Violation"]  # what rules had against it that do not refuse
    on_demand: bool  # although its request asks for spot instances
    not_before: str | None


class Options(TypedDict):
    never_preempt: bool
    checkpoint_interval: int | None  # seconds
    idle_exempt: bool  # its GPUs may be idle


class JobOptions(TypedDict, total=False):
    """What may be given beside a request; the tags `queue:priority` and so on say the same."""

    priority: int
    hold: bool
    never_preempt: bool
    idle_exempt: bool
    checkpoint_interval: int  # seconds


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


class PriorityParts(TypedDict):
    """What places a queued job, the first difference deciding (docs/policy.md)."""

    is_promised: bool
    is_elder: bool
    is_entitled: bool
    priority: int
    expected_run_time: float | None  # seconds
    submitted_at: str


class Starts(TypedDict):
    """When a job is expected to start. None is "nobody knows"; `after` names the job whose end it waits for."""

    earliest: str | None
    latest: str | None
    after: str | None


class Explanation(TypedDict):
    """Why a job is where it is; of a job that does not wait only name, state and reason say something."""

    name: str
    state: str
    position: int | None
    reason: Reason
    waits_for: list[str]
    priority: PriorityParts | None
    starts: Starts | None


class Forecast(TypedDict):
    """What would happen to a request if it were submitted now."""

    starts_now: bool
    behind: int
    preempts: list[str]
    reason: Reason
    starts: Starts


class RefusedCancellation(TypedDict):
    name: str
    error: str
    message: str


class Cancellations(TypedDict):
    """`more`: other jobs fit the filter, too."""

    cancelled: list[str]
    refused: list[RefusedCancellation]
    more: bool


class FreeLine(BudgetLine):
    free: int


class TeamLine(TypedDict):
    running: dict[str, int]
    queued: int
    weight: float
    guarantee: dict[str, int]


class Queue(TypedDict):
    intake_open: bool
    queued: int
    live: int
    by_state: dict[str, int]
    budget: dict[str, FreeLine]
    teams: dict[str, TeamLine]
    head: list[Job]


class Budget(TypedDict):
    """The budget that holds, and whether it is the stack's `parameter` or an `operator` has replaced it."""

    budget: dict[str, int]
    source: str
    stop_over_budget: bool


class Intake(TypedDict):
    intake_open: bool


class Document(TypedDict):
    """What operators have laid down."""

    version: int  # 0: nobody has
    text: str
    changed_by: str | None
    changed_at: str | None


class Rules(Document):
    pass


class Callers(Document):
    pass


class WhoAmI(TypedDict):
    """What the caller may do; None for types and priorities is "any"."""

    arn: str
    principal: str | None
    entry: str
    verbs: list[str]
    teams: list[str]
    execution_roles: list[str]
    instance_types: list[str] | None
    priority_ceiling: int | None


class Verdict(TypedDict):
    violations: list["Violation"]
    warnings: list["Violation"]


class ChangedVerdict(TypedDict):
    """A job for which other rules would change something."""

    name: str
    state: str
    before: Verdict
    after: Verdict


class Trial(TypedDict):
    checked: int
    complete: bool  # False: there are more jobs than were looked at
    jobs: list[ChangedVerdict]


class CallerTrial(Trial):
    you: WhoAmI  # what you could do


class Finding(TypedDict):
    """What the rules had against a training job that went round the queue."""

    name: str
    created_at: str
    stopped: bool
    violations: list["Violation"]


class Findings(TypedDict):
    findings: list[Finding]  # the newest first


class Problem(TypedDict):
    line: int | None
    field: str
    message: str


class Violation(TypedDict):
    rule: str
    field: str
    message: str
    remedy: str
