"""JSON types of bodies and queries. Their bounds are the code's own; the code also refuses what no schema can state."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from api.budget import MAX_INSTANCES, MAX_TYPES
from api.call import MAX_PAGE
from api.config.config_calls import MOST_CHARACTERS
from api.history import MAX_CHANGES
from api.jobs.bulk_calls import MAX_NAMES
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.jobs.job_state import JobState
from scheduler.core.requests.alternatives import MOST_ALTERNATIVES
from scheduler.core.requests.options import MAX_PRIORITY
from scheduler.queue.bulk_actions import JobChange

_CLOSED = ConfigDict(extra="forbid")

Priority = Annotated[int, Field(ge=-MAX_PRIORITY, le=MAX_PRIORITY, description="Higher runs first.")]
Version = Annotated[int, Field(ge=0, le=99_999_999)]
PageSize = Annotated[int, Field(ge=1, le=MAX_PAGE)]
States = Annotated[list[JobState], Field(min_length=1)]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"}, description="With a time zone.")]
JobName = Annotated[str, Field(pattern="^[a-zA-Z0-9-]{1,63}$")]
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
    """Options of the queue, separate from the request. Tags such as `queue:priority` have the same effect."""

    priority: Priority
    hold: bool
    never_preempt: bool
    idle_exempt: bool
    checkpoint_interval: Annotated[int, Field(ge=1, le=MAX_MAX_RUNTIME, description="Seconds.")]
    source_etag: Annotated[str, Field(pattern="^[A-Za-z0-9-]{1,128}$", description="ETag of the code in S3.")]
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
class Cancellation(TypedDict, total=False):
    """With `save_first`, the program of a running job has time to save, as before a preemption."""

    save_first: bool | None


@with_config(_CLOSED)
class Requeue(TypedDict, total=False):
    """The attempt to repeat. If the job has a later attempt already, nothing is done."""

    attempt: Annotated[int, Field(ge=0)] | None


@with_config(_CLOSED)
class ChangeFilter(TypedDict, total=False):
    """A filter for jobs that match every member given. `owner` is an ARN, or a name of its role, user or session."""

    state: States
    owner: str
    mine: bool
    team: str
    instance_type: str
    name: Prefix


@with_config(_CLOSED)
class _ChangeExtras(TypedDict, total=False):
    filter: Annotated[ChangeFilter, Field(json_schema_extra={"minProperties": 1})] | None
    names: Annotated[list[JobName], Field(min_length=1, max_length=MAX_NAMES)] | None
    attempts: Annotated[dict[JobName, Annotated[int, Field(ge=0)]], Field(max_length=MAX_NAMES)] | None
    priority: Priority | None
    save_first: bool | None
    limit: PageSize | None
    next: str | None


class JobsChange(_ChangeExtras):
    """A change of the jobs of a filter or of a list of names. `next` continues a filter, `priority` is the new one.

    `attempts`, for a requeue of names only, has the number of each job's latest attempt, 0 if it had none: a job with a
    later one is left unchanged, so that the call can be repeated. `save_first` belongs to a cancel.
    """

    change: JobChange


@with_config(_CLOSED)
class PriorityOfJobs(TypedDict):
    """A priority, and the jobs that would have it."""

    names: Annotated[list[JobName], Field(min_length=1, max_length=MAX_NAMES)]
    priority: Priority


@with_config(_CLOSED)
class _BudgetExtras(TypedDict, total=False):
    stop_over_budget: bool | None


class NewBudget(_BudgetExtras):
    """A budget. `stop_over_budget`: jobs over the new budget are stopped, in the order of preemption."""

    budget: Counts


@with_config(_CLOSED)
class ConfigFile(TypedDict, total=False):
    """A configuration: a section for each kind to set. A kind that is left out stays as it is.

    docs/config.schema.json describes the sections.
    """

    rules: dict[str, Any]
    callers: list[dict[str, Any]]
    calendar: dict[str, Any]
    pools: list[dict[str, Any]]
    prices: dict[str, Any]
    spending: dict[str, Any]
    policy: dict[str, Any]
    shares: dict[str, Any]
    idle_gpus: dict[str, Any]
    retries: dict[str, Any]
    notices: dict[str, Any]


#: The text of one section.
ConfigSection = dict[str, Any] | list[dict[str, Any]]


class ListQuery(TypedDict, total=False):
    state: States
    owner: Annotated[str, Field(description="An ARN, or a name of its role, user or session.")]
    mine: Annotated[Literal["true", "false"], Field(description="Whether to list the caller's own jobs only.")]
    team: str
    instance_type: str
    name: Prefix
    limit: PageSize
    next: Annotated[str, Field(description="The token of the previous page.")]


class ConfigQuery(TypedDict, total=False):
    version: Annotated[Version, Field(description="Version of the configuration; the current one by default.")]


class ApplyQuery(TypedDict, total=False):
    replaces: Annotated[Version, Field(description="Refuse the call if the current version is another one.")]
    comment: Annotated[str, Field(max_length=MOST_CHARACTERS, description="Why. It is kept with the version.")]


class RollbackQuery(ApplyQuery):
    version: Annotated[Version, Field(description="The version to apply again.")]


class VersionsQuery(TypedDict, total=False):
    limit: PageSize
    next: Annotated[str, Field(pattern="^[0-9]{1,8}$", description="The token of the previous page.")]


class HistoryQuery(TypedDict, total=False):
    """The span of the history, by default the last day. `limit` is the number of changes to read for one page."""

    since: Moment
    until: Moment
    job: Annotated[str, Field(description="The name of a job.")]
    limit: Annotated[int, Field(ge=1, le=MAX_CHANGES)]
    next: Annotated[str, Field(description="The token of the previous page.")]


class PastBudgetsQuery(TypedDict, total=False):
    """The last day by default; 31 days at most."""

    since: Moment


class FindingsQuery(TypedDict, total=False):
    limit: PageSize
