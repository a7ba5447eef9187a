"""Types for jobs: submissions, states, attempts and lists of jobs."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from sagequeue.contract.costs import AttemptCost, CostRange, JobCost

#: States of a job that waits for instances.
QUEUED = frozenset({"pending", "preempted"})
#: States of a job that holds instances.
LIVE = frozenset({"launching", "running", "stopping"})
#: States of a job that has ended.
FINISHED = frozenset({"completed", "failed", "stopped"})
#: Every state of a job that has not ended.
UNFINISHED = ("launching", "running", "stopping", "pending", "preempted", "held", "parked")

#: The reasons why a job has no position in the queue: its user set an earliest start, or it waits for another job.
WITHOUT_POSITION = frozenset({"waits_for_time", "waits_for_job"})

#: A CreateTrainingJob request in SageMaker's own form; the client reads as few of its members as possible.
TrainingRequest = dict[str, Any]


class Alternative(TypedDict):
    """Another way to run a job: the members in which it differs from the request."""

    request: Mapping[str, Any]
    wait_for_better: NotRequired[int]  # seconds to wait for earlier choices before using this choice


class Instances(TypedDict):
    """The instance counts of an elastic job, from `max` down to `min`. `max` is the request's InstanceCount."""

    min: int
    max: int
    step: NotRequired[int]  # 1 by default
    hyperparameters: NotRequired[Mapping[str, Mapping[str, str]]]  # those that differ, by number of instances


class JobOptions(TypedDict, total=False):
    """Options of a job, separate from its request. Tags such as `queue:priority` have the same effect."""

    priority: int
    hold: bool
    never_preempt: bool
    idle_exempt: bool
    interactive: bool  # people work in its container
    retries: int  # how often the job runs again after failures
    team: str  # the team whose share the job uses, if its `submitters` allow it
    checkpoint_interval: int  # seconds
    source_etag: str  # of the code in S3; the client sets it
    notify: Sequence[str]  # start, end, preemption: additional events about which its owner is notified
    not_before: str  # ISO 8601, in the calendar's time zone unless it has an offset; the job starts no earlier
    expires: str  # the job ends then, unless an attempt has started
    deadline: str  # the owner is notified if it will be missed
    deadline_for: Literal["end", "start"]
    after_ok: Sequence[str]  # names of jobs that have to complete first
    after_any: Sequence[str]  # … that have to end first
    after_not_ok: Sequence[str]  # … that have to fail or stop first
    if_never_satisfied: Literal["park", "cancel"]  # what happens to the job if one of them ends in another way
    alternatives: Sequence[Alternative]  # to the request, in order of preference; no tag sets them
    order: Literal["given", "best"]  # of the alternatives: as given, or by what useful training has cost
    instances: Instances  # the numbers of instances on which the job may run; not with alternatives
    restart_tuning: bool  # a stopped tuning job starts over, without a warm start
    min_parallel: int  # the fewest trials at a time with which a tuning job may start


class OptionChanges(TypedDict, total=False):
    """Changes to a job's options (`JobOptions`). None resets an option to its default."""

    priority: int | None
    never_preempt: bool | None
    idle_exempt: bool | None
    checkpoint_interval: int | None
    retries: int | None
    notify: Sequence[str] | None
    not_before: str | None
    expires: str | None
    deadline: str | None
    deadline_for: Literal["end", "start"] | None
    team: str | None


class OnEnd(TypedDict, total=False):
    """The receivers of the queue's report about the end of a job. No answer shows tokens and URLs."""

    task_token: str  # from a Step Functions state
    pipeline_token: str  # from a callback step in SageMaker Pipelines
    event_bus: str  # the name of an EventBridge bus, which begins with sagequeue-
    url: str  # an HTTPS address on one of the stack's WebhookHosts


class OpenCallback(TypedDict):
    """A callback that waits for the end of a job. `kind` is the member of OnEnd."""

    kind: str
    added_at: str


class Violation(TypedDict):
    """A rule or permission that a job breaks."""

    rule: str
    field: str
    message: str
    remedy: str


class Reason(TypedDict):
    code: str
    message: str


class StopNotice(TypedDict):
    """A request to the program to save a checkpoint. The attempt is stopped after the save, or at the deadline."""

    asked_at: str
    deadline: str


class Save(TypedDict):
    """The latest save that the program has reported. It does not include work after `saved_at`."""

    step: int
    saved_at: str


class Attempt(TypedDict):
    """One SageMaker training job that the queue started for a job; `outcome` is None while it is live."""

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
    on_pool: str | None  # the attempt that left the warm pool that this one used, as SageMaker reported
    billable_seconds: int | None  # per instance, once SageMaker has reported it
    retained_seconds: int  # billed for the warm pool that the attempt left, per instance
    choice: int  # its index in the job's `choices`
    selected: dict[str, int] | None  # the selected instance preference, once SageMaker has reported it
    takes_notice: bool  # whether it was created with a stop object; set only for a live attempt
    listens: bool  # whether its program has also reported that it reads notices
    notice: StopNotice | None
    saved: Save | None
    cost: NotRequired[AttemptCost | None]  # only in the answer about one job; None if a price is unknown


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


class InstanceRange(TypedDict):
    min: int
    max: int
    step: int
    hyperparameters: NotRequired[dict[str, dict[str, str]]]  # only in the answer about one job


class Options(TypedDict):
    never_preempt: bool
    checkpoint_interval: int | None  # seconds
    idle_exempt: bool  # not stopped for idle GPUs
    interactive: bool  # people work in its container
    retries: int | None  # how often it runs again after failures; None: as set in the section `retries`
    team: str | None  # the chosen team; None: the owner's
    source_etag: str | None  # of the code in S3
    notify: list[str]  # additional events about which its owner is notified
    order: str  # of its choices: `given` or `best`
    instances: InstanceRange | None  # of an elastic job
    restart_tuning: bool  # a stopped tuning job starts over
    min_parallel: int | None  # the fewest trials at a time with which a tuning job may start
    not_before: str | None  # the earliest start
    expires: str | None  # the job ends then, unless an attempt has started
    deadline: str | None
    deadline_for: str  # `end` or `start`
    after_ok: list[str]  # names of jobs that have to complete first
    after_any: list[str]  # … that have to end first
    after_not_ok: list[str]  # … that have to fail or stop first
    if_never_satisfied: str  # `park` or `cancel`


class Tuning(TypedDict):
    """The progress of a tuning job over its finished attempts."""

    parallel: int  # maximum number of trials at a time
    most_trials: int | None
    ended_trials: int
    parents: list[str]  # the next attempt begins with the results of these attempts
    continues: bool  # with a warm start; otherwise, a stopped job loses its results


class Job(TypedDict):
    name: str
    arn: str
    kind: str  # `training`, `tuning` or `processing`
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
    earlier_attempts: int  # number of finished attempts that a list leaves out; 0 in the answer about one job
    team: str | None
    options: Options
    actions: NotRequired[list[Action]]  # only in the answer about one job
    request: NotRequired[TrainingRequest]  # same
    alternatives: NotRequired[list[Alternative]]  # same; as options of a submission
    cost: NotRequired[JobCost]  # same
    model_artifacts: NotRequired[str | None]  # same; the S3 URI of a completed job's model
    metrics: NotRequired[dict[str, float]]  # same; the last value of each metric in MetricDefinitions
    callbacks: NotRequired[list[OpenCallback]]  # same; those that the queue has not reported yet
    cost_range: NotRequired[CostRange]  # only in the answer to a submission
    is_new: NotRequired[bool]  # same; False if the queue already had the job
    warnings: list[Violation]  # broken rules that only warn
    on_demand: bool  # runs on demand although its request asks for spot instances
    choice: int  # the index of the current or last choice; 0 is its request
    choices: list[Choice]  # empty without alternatives
    not_before: str | None
    may_control: bool  # whether the caller may change it
    tuning: Tuning | None  # of a tuning job


def latest_attempt(job: Job) -> int:
    """Returns the number of the job's latest attempt, or 0. A requeue that names the number is safe to repeat."""
    return job["attempts"][-1]["number"] if job["attempts"] else 0


class JobFilter(TypedDict, total=False):
    """Selects jobs that match every given filter. `name` is a prefix of the job's name.

    `owner` is an ARN or a name in an ARN. `mine` selects the caller's jobs; for a role, the jobs from all its sessions.
    `array` selects the jobs in an array. With `children` false, the jobs in arrays are left out.
    """

    state: str | Sequence[str]
    owner: str
    mine: bool
    team: str
    name: str
    instance_type: str
    array: str
    children: bool


class BudgetLine(TypedDict):
    limit: int
    held: int


class Listing(TypedDict):
    jobs: list[Job]
    next: str | None
    budget: dict[str, BudgetLine]


#: A change to many jobs in one call.
JobChange = Literal["cancel", "hold", "release", "requeue", "priority", "top", "approve"]


class RefusedChange(TypedDict):
    name: str
    error: str
    message: str


class ChangedJobs(TypedDict):
    """The result of one call. `next` continues a filter.

    `left` is the number of jobs that the call did not reach; if this number is not exact, more jobs may be left.
    """

    changed: list[str]
    refused: list[RefusedChange]
    left: int
    is_left_exact: bool
    next: str | None
