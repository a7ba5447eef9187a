"""The JSON that the API answers with (docs/api.md), as types. docs/openapi.json is made from them.

They are typing_extensions' because pydantic, which reads them where that document is written, takes the standard
library's only from Python 3.12 on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from scheduler.domain.action import ActionKind
from scheduler.domain.attempt import Outcome
from scheduler.domain.failure import FailureClass
from scheduler.domain.job import JobState
from scheduler.domain.reason import ReasonCode


@dataclass(frozen=True)
class _Format:
    """Says in the document what a text holds."""

    name: str

    def __get_pydantic_json_schema__(self, core: object, schema_of: Callable[[object], dict[str, Any]]) -> Any:
        return schema_of(core) | {"format": self.name}


Time = Annotated[str, _Format("date-time")]


class Reason(TypedDict):
    """Clients may branch on the code, never on the message."""

    code: ReasonCode
    message: str


class Violation(TypedDict):
    """What a rule has against a job."""

    rule: str
    field: str
    message: str
    remedy: str


class Attempt(TypedDict):
    """A SageMaker training job for a job of the queue. It has no outcome while it is live."""

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


class Options(TypedDict):
    """`checkpoint_interval` is in seconds."""

    never_preempt: bool
    checkpoint_interval: int | None
    idle_exempt: bool


class Action(TypedDict):
    """What was done to a job; `by` is the caller's ARN, or `queue`."""

    at: Time
    kind: ActionKind
    by: str
    message: str


class Job(TypedDict):
    """A job. `request`, its body as submitted, and `actions` are there only where one job is shown.

    `max_runtime` is in seconds; `actions` are what was done to it, the last fifty.
    """

    name: str
    arn: str
    state: JobState
    priority: int
    owner: str
    instances: dict[str, int]
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
    not_before: Time | None
    warnings: list[Violation]
    actions: NotRequired[list[Action]]
    request: NotRequired[dict[str, Any]]


class BudgetLine(TypedDict):
    limit: int
    held: int


class Listing(TypedDict):
    """One page; `next` is the token of the page after it."""

    jobs: list[Job]
    next: str | None
    budget: dict[str, BudgetLine]


class PriorityParts(TypedDict):
    """What places a job among those that wait, the first difference deciding. `expected_run_time` is in seconds."""

    is_promised: bool
    is_elder: bool
    is_entitled: bool
    priority: int
    expected_run_time: float | None
    submitted_at: Time


class Starts(TypedDict):
    """When a job is expected to start; null where nobody can tell. `after` is the job whose end it waits for."""

    earliest: Time | None
    latest: Time | None
    after: str | None


class Explanation(TypedDict):
    """Of a job that does not wait only name, state and reason say something."""

    name: str
    state: JobState
    position: int | None
    reason: Reason
    waits_for: list[str]
    priority: PriorityParts | None
    starts: Starts | None


class Forecast(TypedDict):
    """What would become of a submission. `behind` is the number of jobs before it."""

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
    """`more`: there are others that fit the filter."""

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
    """The queue at a glance; only what has not ended is counted. `head` is the next jobs."""

    intake_open: bool
    queued: int
    live: int
    by_state: dict[str, int]
    budget: dict[str, FreeLine]
    teams: dict[str, TeamLine]
    head: list[Job]


class Budget(TypedDict):
    """`source` is `parameter` or, where the stack's parameter is replaced, `operator`."""

    budget: dict[str, int]
    source: str
    stop_over_budget: bool


class Intake(TypedDict):
    intake_open: bool


class Document(TypedDict):
    version: int
    text: str
    changed_by: str | None
    changed_at: Time | None


class Rules(Document):
    """The rules in force; version 0 means that nobody has set any."""


class Verdict(TypedDict):
    violations: list[Violation]
    warnings: list[Violation]


class ChangedVerdict(TypedDict):
    name: str
    state: JobState
    before: Verdict
    after: Verdict


class Trial(TypedDict):
    """The jobs for which other rules would change something. `complete`: every job that waits or runs was looked at."""

    checked: int
    complete: bool
    jobs: list[ChangedVerdict]


class Finding(TypedDict):
    """What the rules had against a training job that went round the queue, and whether it was stopped."""

    name: str
    created_at: Time
    stopped: bool
    violations: list[Violation]


class Findings(TypedDict):
    """The newest first."""

    findings: list[Finding]


class Problem(TypedDict):
    """What is wrong with a rules document; lines count from 1."""

    line: int | None
    field: str
    message: str


class Refusal(TypedDict):
    """Clients may branch on `error`, never on the message. `field` is the path of what is wrong."""

    error: str
    message: str
    field: str | None
    remedy: str


class RuleRefusal(Refusal):
    violations: list[Violation]


class DocumentRefusal(Refusal):
    problems: list[Problem]
