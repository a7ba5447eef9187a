"""JSON types of bodies and queries. Their bounds are the code's own; the code also refuses what no schema can state."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from api.budget import MAX_INSTANCES, MAX_TYPES
from api.call import MAX_PAGE
from api.history import MAX_CHANGES
from scheduler.core.jobs.job import MAX_MAX_RUNTIME, JobState
from scheduler.core.requests.alternatives import MOST_ALTERNATIVES
from scheduler.core.requests.options import MAX_PRIORITY

_CLOSED = ConfigDict(extra="forbid")

Priority = Annotated[int, Field(ge=-MAX_PRIORITY, le=MAX_PRIORITY, description="Higher runs first.")]
PageSize = Annotated[int, Field(ge=1, le=MAX_PAGE)]
States = Annotated[list[JobState], Field(min_length=1)]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"}, description="With a time zone.")]
Prefix = Annotated[str, Field(description="The beginning of the job's name.")]
Counts = Annotated[
    dict[str, Annotated[int, Field(ge=0, le=MAX_INSTANCES)]],
    Field(
        min_length=1,
        max_length=MAX_TYPES,
        json_schema_extra={"propertyNames": {"pattern": r"^ml\.[a-z0-9-]{1,40}\.[a-z0-9-]{1,40}$"}},
    ),
]


@with_config(ConfigDict(extra="allow"))
class TrainingRequest(TypedDict):
    """SageMaker's CreateTrainingJob request. The queue checks it in full against SageMaker's own model."""

    TrainingJobName: Annotated[str, Field(pattern="^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$")]
    RoleArn: str
    AlgorithmSpecification: dict[str, Any]
    OutputDataConfig: dict[str, Any]
    ResourceConfig: dict[str, Any]
    StoppingCondition: dict[str, Any]


@with_config(_CLOSED)
class AlternativeChanges(TypedDict, total=False):
    """The differences from the request. Within objects, members that are not given stay as they are."""

    ResourceConfig: dict[str, Any]
    HyperParameters: dict[str, str]
    EnableManagedSpotTraining: bool
    StoppingCondition: dict[str, Any]


@with_config(_CLOSED)
class Alternative(TypedDict):
    """Another way to run the job, if the instances of the earlier ones are not available."""

    request: AlternativeChanges
    wait_for_better: NotRequired[Annotated[int, Field(ge=0, le=MAX_MAX_RUNTIME, description="Seconds.")]]


@with_config(_CLOSED)
class JobOptions(TypedDict, total=False):
    """Options beside the request. Tags such as `queue:priority` have the same effect."""

    priority: Priority
    hold: bool
    never_preempt: bool
    idle_exempt: bool
    checkpoint_interval: Annotated[int, Field(ge=1, le=MAX_MAX_RUNTIME, description="Seconds.")]
    alternatives: Annotated[list[Alternative], Field(min_length=1, max_length=MOST_ALTERNATIVES)]


@with_config(_CLOSED)
class _SubmissionExtras(TypedDict, total=False):
    options: JobOptions | None
    client_token: Annotated[str, Field(pattern="^[!-~]{1,128}$")] | None


class Submission(_SubmissionExtras):
    request: TrainingRequest


@with_config(_CLOSED)
class NewPriority(TypedDict):
    priority: Priority


@with_config(_CLOSED)
class Requeue(TypedDict, total=False):
    """The attempt to repeat. If the job has a later attempt already, nothing is done."""

    attempt: Annotated[int, Field(ge=0)] | None


@with_config(_CLOSED)
class CancelFilter(TypedDict, total=False):
    """A filter for jobs that match every member given."""

    state: JobState | States
    owner: str
    team: str
    instance_type: str
    name: Prefix


@with_config(_CLOSED)
class _CancellationExtras(TypedDict, total=False):
    limit: PageSize | None


class Cancellation(_CancellationExtras):
    filter: Annotated[CancelFilter, Field(json_schema_extra={"minProperties": 1})]


@with_config(_CLOSED)
class _BudgetExtras(TypedDict, total=False):
    stop_over_budget: bool | None


class NewBudget(_BudgetExtras):
    """A budget. `stop_over_budget`: jobs over the new budget are stopped, in the order of preemption."""

    budget: Counts


@with_config(ConfigDict(extra="allow"))
class RulesDocument(TypedDict):
    """docs/guardrails.md describes it."""

    format: Literal[1]


@with_config(ConfigDict(extra="allow"))
class PoolRulesDocument(TypedDict):
    """docs/capacity.md describes it."""

    format: Literal[1]


@with_config(ConfigDict(extra="allow"))
class PricesDocument(TypedDict):
    """docs/cost.md describes it."""

    format: Literal[1]
    as_of: str
    prices: list[dict[str, Any]]


@with_config(ConfigDict(extra="allow"))
class SpendingDocument(TypedDict):
    """docs/cost.md describes it."""

    format: Literal[1]
    time_zone: str
    limits: list[dict[str, Any]]


@with_config(ConfigDict(extra="allow"))
class CallersDocument(TypedDict):
    """docs/callers.md describes it."""

    format: Literal[1]
    callers: list[dict[str, Any]]


@with_config(ConfigDict(extra="allow"))
class CalendarDocument(TypedDict):
    """docs/calendar.md describes it."""

    format: Literal[1]
    time_zone: str
    windows: list[dict[str, Any]]


class ListQuery(TypedDict, total=False):
    state: States
    owner: str
    team: str
    instance_type: str
    name: Prefix
    limit: PageSize
    next: Annotated[str, Field(description="The token of the previous page.")]


class ReplacedVersion(TypedDict, total=False):
    replaces: Annotated[int, Field(ge=0, le=99_999_999, description="Refuse the call if another version is applied.")]


class CallersQuery(ReplacedVersion, total=False):
    hand_over: Annotated[bool, Field(description="Apply it even if the caller then cannot operate the queue any more.")]


class HistoryQuery(TypedDict, total=False):
    """The span of the history, by default the last day. `limit` is the number of changes to read for one page."""

    since: Moment
    until: Moment
    job: Annotated[str, Field(description="The name of a job.")]
    limit: Annotated[int, Field(ge=1, le=MAX_CHANGES)]
    next: Annotated[str, Field(description="The token of the previous page.")]


class FindingsQuery(TypedDict, total=False):
    limit: PageSize
