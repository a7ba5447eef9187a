"""Defines JSON types for bodies and queries. Their limits come from the code, which also checks further conditions."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from api.budget import MAX_INSTANCES, MAX_TYPES
from api.call import MAX_PAGE
from api.config.config_calls import MOST_CHARACTERS
from api.history import MAX_CHANGES
from api.jobs.bulk_calls import MAX_NAMES
from scheduler.core.history.callbacks.callback import BUS_PREFIX
from scheduler.core.history.webhooks.webhook import LONGEST_URL
from scheduler.core.jobs.demand import BUDGET_LINE
from scheduler.core.jobs.dependencies.option_values import MOST_PREDECESSORS
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.jobs.job_state import ChoiceOrder, JobState, NotifyMoment
from scheduler.core.jobs.start_conditions import DeadlineFor, IfNeverSatisfied
from scheduler.core.jobs.team import TEAM_NAME
from scheduler.core.requests.alternatives import MOST_ALTERNATIVES
from scheduler.core.requests.arrays.parameters import MOST_CHILDREN, MOST_PARAMETERS
from scheduler.core.requests.options import MAX_PRIORITY, MOST_PARALLEL, MOST_RETRIES
from scheduler.queue.bulk_actions import JobChange

_CLOSED = ConfigDict(extra="forbid")

Priority = Annotated[
    int, Field(ge=-MAX_PRIORITY, le=MAX_PRIORITY, description="Priority of the job; higher starts first.")
]
Version = Annotated[int, Field(ge=0, le=99_999_999)]
PageSize = Annotated[int, Field(ge=1, le=MAX_PAGE)]
States = Annotated[list[JobState], Field(min_length=1)]
Moment = Annotated[
    str, Field(json_schema_extra={"format": "date-time"}, description="A time in ISO 8601, with a time zone.")
]
LocalTime = Annotated[
    str, Field(description="A time in ISO 8601. Without an offset from UTC, it is in the calendar's time zone.")
]
JobName = Annotated[str, Field(pattern="^[a-zA-Z0-9-]{1,63}$")]
ArrayName = Annotated[str, Field(description="The array whose jobs are selected.")]
Prefix = Annotated[str, Field(description="A prefix of the job's name.")]
Counts = Annotated[
    dict[str, Annotated[int, Field(ge=0, le=MAX_INSTANCES)]],
    Field(
        min_length=1,
        max_length=MAX_TYPES,
        json_schema_extra={"propertyNames": {"pattern": f"^{BUDGET_LINE.pattern}$"}},
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
    """The members that differ from the request. Within objects, omitted members keep their values."""

    ResourceConfig: dict[str, Any]
    HyperParameters: dict[str, str]
    EnableManagedSpotTraining: bool
    StoppingCondition: dict[str, Any]


@with_config(_CLOSED)
class Alternative(TypedDict):
    """Another way to run the job, used if the instances of the earlier choices are not available."""

    request: AlternativeChanges
    wait_for_better: NotRequired[
        Annotated[
            int,
            Field(
                ge=0, le=MAX_MAX_RUNTIME, description="Seconds to wait for earlier choices before using this choice."
            ),
        ]
    ]


Width = Annotated[int, Field(ge=1, le=9999)]


@with_config(_CLOSED)
class _InstancesExtras(TypedDict, total=False):
    step: Width
    hyperparameters: Annotated[
        dict[str, Annotated[dict[str, str], Field(min_length=1)]],
        Field(description="The hyperparameters that differ, for each number of instances."),
    ]


class Instances(_InstancesExtras):
    """An elastic job's instance counts: `max` down to `min` in equal steps (1 by default), at most five counts.

    `max` is the request's `InstanceCount`.
    """

    min: Width
    max: Width


JobNames = Annotated[
    list[Annotated[str, Field(pattern="^[a-zA-Z0-9-]{1,63}$")]],
    Field(min_length=1, max_length=MOST_PREDECESSORS, description="Names of existing jobs."),
]


@with_config(_CLOSED)
class JobOptions(TypedDict, total=False):
    """The queue's own options, separate from the request. Tags such as `queue:priority` have the same effect.

    The job starts no earlier than `not_before`, and ends at `expires` unless an attempt has started. If the job will
    not end (or start) by its `deadline`, the owner is notified; a deadline changes no priority.

    The job waits until the jobs in `after_ok` have completed, those in `after_any` have ended, and those in
    `after_not_ok` have failed or been stopped. In total, these members name at most 20 jobs. If one of them does not
    end as required, `if_never_satisfied` decides whether this job is parked or cancelled.
    """

    priority: Priority
    hold: bool
    never_preempt: bool
    idle_exempt: bool
    interactive: bool
    checkpoint_interval: Annotated[
        int, Field(ge=1, le=MAX_MAX_RUNTIME, description="Seconds between the script's checkpoints.")
    ]
    retries: Annotated[
        int, Field(ge=0, le=MOST_RETRIES, description="Retries after failures; operators may allow fewer.")
    ]
    team: Annotated[str, Field(pattern=f"^{TEAM_NAME.pattern}$", description="Team whose share the job uses.")]
    source_etag: Annotated[str, Field(pattern="^[A-Za-z0-9-]{1,128}$", description="ETag of the code in S3.")]
    notify: Annotated[
        list[NotifyMoment], Field(max_length=len(NotifyMoment), description="Events about which to notify the owner.")
    ]
    not_before: LocalTime
    expires: LocalTime
    deadline: LocalTime
    deadline_for: DeadlineFor
    after_ok: JobNames
    after_any: JobNames
    after_not_ok: JobNames
    if_never_satisfied: IfNeverSatisfied
    alternatives: Annotated[list[Alternative], Field(min_length=1, max_length=MOST_ALTERNATIVES)]
    order: Annotated[ChoiceOrder, Field(description="The order in which the alternatives are tried.")]
    instances: Instances
    restart_tuning: Annotated[bool, Field(description="Whether a tuning job may restart without results.")]
    min_parallel: Annotated[int, Field(ge=1, le=MOST_PARALLEL, description="The minimum number of parallel trials.")]


@with_config(_CLOSED)
class OnEnd(TypedDict, total=False):
    """The receivers of the queue's report that the job has ended.

    No answer shows these values. Until the end, Step Functions task tokens get heartbeats. A bus name begins with
    `sagequeue-`. The stack's parameter WebhookHosts lists the hosts of URLs.
    """

    task_token: Annotated[str, Field(pattern=r"^[!-~]{1,2048}$")]
    pipeline_token: Annotated[str, Field(pattern=r"^[a-zA-Z0-9]{10}$")]
    event_bus: Annotated[str, Field(pattern=rf"^{BUS_PREFIX}[A-Za-z0-9/_.-]{{1,240}}$")]
    url: Annotated[str, Field(pattern="^https://", max_length=LONGEST_URL)]


ClientToken = Annotated[str, Field(pattern="^[!-~]{1,128}$")]


@with_config(_CLOSED)
class _SubmissionExtras(TypedDict, total=False):
    options: JobOptions | None
    client_token: ClientToken | None
    on_end: OnEnd | None


class Submission(_SubmissionExtras):
    request: TrainingRequest


_ParameterName = Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]{0,62}$")]
_Value = str | int | float | bool


@with_config(_CLOSED)
class _ArrayExtras(TypedDict, total=False):
    options: JobOptions | None
    at_most: (
        Annotated[int, Field(ge=1, le=MOST_CHILDREN, description="The maximum number of jobs that run at once.")] | None
    )
    most_failures: (
        Annotated[int, Field(ge=0, le=MOST_CHILDREN, description="The number of failed jobs that the array tolerates.")]
        | None
    )
    client_token: ClientToken | None


class ArraySubmission(_ArrayExtras):
    """An array: a request whose texts may have placeholders such as `${lr}` and `${index}`, and parameters.

    `parameters` is a matrix (each combination is a job), or a list with one object for each job.
    """

    request: TrainingRequest
    parameters: (
        Annotated[
            dict[_ParameterName, Annotated[list[_Value], Field(min_length=1)]],
            Field(min_length=1, max_length=MOST_PARAMETERS),
        ]
        | Annotated[list[dict[_ParameterName, _Value]], Field(min_length=1, max_length=MOST_CHILDREN)]
    )


@with_config(_CLOSED)
class NewPriority(TypedDict):
    priority: Priority


@with_config(_CLOSED)
class OptionChanges(TypedDict, total=False):
    """Changes to a job's options. Null resets an option to its default."""

    priority: Priority | None
    never_preempt: bool | None
    idle_exempt: bool | None
    checkpoint_interval: Annotated[int, Field(ge=1, le=MAX_MAX_RUNTIME)] | None
    retries: Annotated[int, Field(ge=0, le=MOST_RETRIES)] | None
    notify: Annotated[list[NotifyMoment], Field(max_length=len(NotifyMoment))] | None
    not_before: LocalTime | None
    expires: LocalTime | None
    deadline: LocalTime | None
    deadline_for: DeadlineFor | None
    team: Annotated[str, Field(pattern=f"^{TEAM_NAME.pattern}$", description="Team whose share the job uses.")] | None


@with_config(_CLOSED)
class JobUpdate(TypedDict, total=False):
    """Changes to a waiting job. While it runs, only priority, retries, notify and the deadline can change.

    `max_runtime` becomes the `MaxRuntimeInSeconds` for the next attempt, and for each alternative without its own
    value.
    """

    options: OptionChanges | None
    max_runtime: Annotated[int, Field(ge=1, le=MAX_MAX_RUNTIME)] | None


@with_config(_CLOSED)
class Cancellation(TypedDict, total=False):
    """Options for a cancellation. With `save_first`, a running program gets time to save, as before a preemption."""

    save_first: bool | None


@with_config(_CLOSED)
class Requeue(TypedDict, total=False):
    """The attempt to repeat. If the job already has a later attempt, nothing changes."""

    attempt: Annotated[int, Field(ge=0)] | None


@with_config(_CLOSED)
class JobApproval(TypedDict, total=False):
    """The longest time limit in seconds that the caller approves. If a time limit of the job is longer, the queue
    refuses the approval.
    """

    max_runtime: Annotated[int, Field(ge=1)] | None


@with_config(_CLOSED)
class ChangeFilter(TypedDict, total=False):
    """Selects jobs that match every given member. `owner` is an ARN, or the name of a role, user or session in it."""

    state: States
    owner: str
    mine: bool
    team: str
    instance_type: str
    name: Prefix
    array: ArrayName
    children: bool


@with_config(_CLOSED)
class _ChangeExtras(TypedDict, total=False):
    filter: Annotated[ChangeFilter, Field(json_schema_extra={"minProperties": 1})] | None
    names: Annotated[list[JobName], Field(min_length=1, max_length=MAX_NAMES)] | None
    attempts: Annotated[dict[JobName, Annotated[int, Field(ge=0)]], Field(max_length=MAX_NAMES)] | None
    max_runtimes: Annotated[dict[JobName, Annotated[int, Field(ge=1)]], Field(max_length=MAX_NAMES)] | None
    priority: Priority | None
    save_first: bool | None
    limit: PageSize | None
    next: str | None


class JobsChange(_ChangeExtras):
    """Changes jobs selected by a filter or by names. `next` continues a filter; `priority` is the new priority.

    `attempts` is only for a requeue by names: the number of each job's latest attempt, or 0 if there was none. A job
    with a later attempt stays unchanged, so the call is safe to repeat. `max_runtimes` is only for an approval by
    names: the longest time limit in seconds that the caller has seen of each job. `save_first` is only for a cancel.
    """

    change: JobChange


@with_config(_CLOSED)
class PriorityOfJobs(TypedDict):
    """A priority, and the jobs to forecast it for."""

    names: Annotated[list[JobName], Field(min_length=1, max_length=MAX_NAMES)]
    priority: Priority


@with_config(_CLOSED)
class _BudgetExtras(TypedDict, total=False):
    stop_over_budget: bool | None


class NewBudget(_BudgetExtras):
    """A new budget. With `stop_over_budget`, jobs that exceed the budget are stopped, in preemption order."""

    budget: Counts


@with_config(_CLOSED)
class ConfigFile(TypedDict, total=False):
    """A configuration with one section for each kind to set. Omitted sections stay unchanged.

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
    hangs: dict[str, Any]
    nan: dict[str, Any]
    retries: dict[str, Any]
    notices: dict[str, Any]


#: The text of one section.
ConfigSection = dict[str, Any] | list[dict[str, Any]]


class ListQuery(TypedDict, total=False):
    state: States
    owner: Annotated[str, Field(description="An ARN, or the role, user or session name in an ARN.")]
    mine: Annotated[Literal["true", "false"], Field(description="Whether to list only the caller's own jobs.")]
    team: str
    instance_type: str
    name: Prefix
    array: ArrayName
    children: Annotated[Literal["true", "false"], Field(description="Whether to list jobs in arrays; true by default.")]
    limit: PageSize
    next: Annotated[str, Field(description="The token of the previous page.")]


class ConfigQuery(TypedDict, total=False):
    version: Annotated[Version, Field(description="Version of the configuration; by default, the current version.")]


class ApplyQuery(TypedDict, total=False):
    replaces: Annotated[Version, Field(description="Refuse the call unless this is the current version.")]
    comment: Annotated[
        str, Field(max_length=MOST_CHARACTERS, description="The reason for the change, kept with the version.")
    ]


class RollbackQuery(ApplyQuery):
    version: Annotated[Version, Field(description="The version to apply again.")]


class VersionsQuery(TypedDict, total=False):
    limit: PageSize
    next: Annotated[str, Field(pattern="^[0-9]{1,8}$", description="The token of the previous page.")]


class HistoryQuery(TypedDict, total=False):
    """The time span, by default the last day. `limit` is the number of changes to read for one page."""

    since: Moment
    until: Moment
    job: Annotated[str, Field(description="The name of a job.")]
    limit: Annotated[int, Field(ge=1, le=MAX_CHANGES)]
    next: Annotated[str, Field(description="The token of the previous page.")]


class PastBudgetsQuery(TypedDict, total=False):
    """The start of the period: one day ago by default, at most 31 days ago."""

    since: Moment


class FindingsQuery(TypedDict, total=False):
    limit: PageSize
