"""JSON types for jobs, costs, explanations and forecasts (docs/reference/rest.md). Costs are in US dollars."""

from typing import Any, NotRequired

from typing_extensions import TypedDict

from api.answers import BudgetLine, Day, Reason, Time, Violation
from scheduler.core.calendar.times.deadlines import DeadlineOutlook
from scheduler.core.history.callbacks.callback import CallbackKind
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job_state import ActionKind, ChoiceOrder, JobState, NotifyMoment
from scheduler.core.jobs.start_conditions import DeadlineFor, IfNeverSatisfied
from scheduler.core.jobs.work.kind import WorkKind


class AttemptCost(TypedDict):
    """The amount that SageMaker bills for an attempt. Until it is final, this is an upper bound.

    `dollars` is the cost of training. `retained_dollars` is the cost of the warm pool that the attempt left.
    `saved_dollars` is the amount that spot instances saved. `wasted_dollars_at_most` is the most that was spent on
    training that a preemption or a failure lost.
    """

    dollars: float
    retained_dollars: float
    saved_dollars: float
    wasted_dollars_at_most: float
    final: bool


class JobCost(AttemptCost):
    """The total cost of all attempts whose instance types have a known price.

    `prices_as_of` is the date of the oldest price used.
    """

    unknown_types: list[str]
    prices_as_of: Day | None


class CostRange(TypedDict):
    """The expected cost of one complete attempt. Costs are null if a price is unknown. Times are in seconds.

    The lower bound assumes `expected_run_time`, estimated from similar jobs, and the cheapest choice. The upper bound
    assumes the full time limit and the most expensive choice. The job may cost more in total if it is preempted or
    retried. With `spot` it may cost less: `least_dollars` includes that saving only if the configured prices set
    `spot_share`.
    """

    least_dollars: float | None
    most_dollars: float | None
    expected_run_time: float
    max_runtime: int
    spot: bool
    unknown_types: list[str]
    prices_as_of: Day | None


class StopNotice(TypedDict):
    """The queue asked the program to save. The attempt stops after the save, at the latest at the deadline."""

    asked_at: Time
    deadline: Time


class Save(TypedDict):
    """The latest save that the program has reported. It does not contain work done after `saved_at`."""

    step: int
    saved_at: Time


class Attempt(TypedDict):
    """A SageMaker training job that runs a job in the queue. `outcome` is null while the attempt is live.

    `on_pool` is the attempt whose warm pool this attempt started on, as SageMaker reports it. `billable_seconds` is the
    billed time per instance, or null until SageMaker reports it. `retained_seconds` is the billed time per instance of
    the warm pool that the attempt left, known once the pool is gone. `choice` is the index of the job's choice, from 0.
    `selected` is the instance type that SageMaker selected from the job's InstancePreferences, once SageMaker reports
    it. `takes_notice` is true if a live attempt was created with a stop object, and `listens` if its program has also
    reported that it reads that object. `cost` is returned only by GET /jobs/{name}, and is null if no price is known.
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
    takes_notice: bool
    listens: bool
    notice: StopNotice | None
    saved: Save | None
    cost: NotRequired[AttemptCost | None]


class InstanceRange(TypedDict):
    """An elastic job's instance counts. Only GET /jobs/{name} returns `hyperparameters`, by instance count."""

    min: int
    max: int
    step: int
    hyperparameters: NotRequired[dict[str, dict[str, str]]]


class Dependencies(TypedDict):
    """The jobs that must have completed, ended, or failed (or been stopped) before a job starts.

    `if_never_satisfied` is the action if one of them does not end as required.
    """

    after_ok: list[str]
    after_any: list[str]
    after_not_ok: list[str]
    if_never_satisfied: IfNeverSatisfied


class Options(Dependencies):
    """A job's options. `checkpoint_interval` is in seconds. `source_etag` is the ETag of the code in S3.

    `team` is the team that its user chose; the job's own member `team` is the team that counts. `notify` lists
    additional events that its owner is notified about. `order` is the order in which its choices are tried. `instances`
    is null unless the job is elastic. `min_parallel` is the fewest trials at a time with which a tuning job may start.
    The job starts no earlier than `not_before`, and ends at `expires` unless an attempt has started. `deadline_for` is
    `start` or `end`: the event that should happen by the `deadline`.
    """

    never_preempt: bool
    checkpoint_interval: int | None
    idle_exempt: bool
    interactive: bool
    retries: int | None
    team: str | None
    source_etag: str | None
    notify: list[NotifyMoment]
    order: ChoiceOrder
    instances: InstanceRange | None
    restart_tuning: bool
    min_parallel: int | None
    not_before: Time | None
    expires: Time | None
    deadline: Time | None
    deadline_for: DeadlineFor


class Choice(TypedDict):
    """One way to run a job: its own request, or an alternative. Times are in seconds."""

    instances: dict[str, int]
    spot: bool
    max_runtime: int
    wait_for_better: int


class GivenAlternative(TypedDict):
    """An alternative as submitted: the request members that differ from the job's own request."""

    request: dict[str, Any]
    wait_for_better: int


class Action(TypedDict):
    """An action on a job. `by` is the caller's ARN, or `queue`."""

    at: Time
    kind: ActionKind
    by: str
    message: str


class OpenCallback(TypedDict):
    """A callback that is still waiting for the job to end. No answer shows its token."""

    kind: CallbackKind
    added_at: Time


class Results(TypedDict):
    """The S3 URI of a completed job's model, and the last value of each metric in its MetricDefinitions."""

    model_artifacts: str | None
    metrics: dict[str, float]


class Tuning(TypedDict):
    """A tuning job's progress over its finished attempts.

    `parallel` is the most trials at a time. `most_trials` is the most trials in total, or null if the request sets no
    limit. `ended_trials` counts finished attempts' trials, which the queue does not repeat. The next attempt begins
    with the results of the attempts in `parents`. If `continues` is false, a later attempt begins without results.
    """

    parallel: int
    most_trials: int | None
    ended_trials: int
    parents: list[str]
    continues: bool


class Job(TypedDict):
    """A job in the queue. Its `kind` is the kind of its attempts: training, tuning or processing jobs.

    Only GET /jobs/{name} returns `request` (as submitted), `alternatives`, `actions` (the last fifty), `cost`,
    `model_artifacts` (an S3 URI) and `metrics` (the last values). The results are hidden from callers that are not
    allowed to control the job. `callbacks` lists the open callbacks. Only the answer to a submission has `cost_range`
    and `is_new`, which is false if the submission repeats an earlier submission. `max_runtime` is in seconds.
    `choices` lists the request and its alternatives. `choice` is the index, from 0, of the choice with which the job
    is running or last ran. `preferences` lists the instance types from which SageMaker selects one. Until SageMaker
    has selected a type, `instances` contains all of them; after that, only the selected type. `earlier_attempts`
    counts finished attempts that this answer leaves out. GET /jobs/{name} leaves out none. `may_control` is true if
    the caller may change the job. `tuning` is null unless the job is a tuning job.
    """

    name: str
    arn: str
    kind: WorkKind
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
    earlier_attempts: int
    on_demand: bool
    choice: int
    choices: list[Choice]
    not_before: Time | None
    warnings: list[Violation]
    may_control: bool
    tuning: Tuning | None
    actions: NotRequired[list[Action]]
    request: NotRequired[dict[str, Any]]
    alternatives: NotRequired[list[GivenAlternative]]
    cost: NotRequired[JobCost]
    model_artifacts: NotRequired[str | None]
    metrics: NotRequired[dict[str, float]]
    callbacks: NotRequired[list[OpenCallback]]
    cost_range: NotRequired[CostRange]
    is_new: NotRequired[bool]


class Listing(TypedDict):
    """One page of jobs. `next` is the token of the next page."""

    jobs: list[Job]
    next: str | None
    budget: dict[str, BudgetLine]


class RefusedChange(TypedDict):
    """A job that could not be changed."""

    name: str
    error: str
    message: str


class ChangedJobs(TypedDict):
    """The jobs that the call changed, or that were already in the requested state.

    `left` counts the matching or listed jobs that the call did not reach. If `is_left_exact` is false, there may be
    more. To continue, repeat the call with `next` until it is null, or with the remaining names.
    """

    changed: list[str]
    refused: list[RefusedChange]
    left: int
    is_left_exact: bool
    next: str | None


class PriorityParts(TypedDict):
    """The factors that order waiting jobs: the first factor that differs decides. `expected_run_time` is in seconds.

    `owner_weighted_seconds` is the owner's recent use, if the job's team shares fairly between owners.
    """

    is_reserved_for: bool
    is_long_waiting: bool
    is_below_quota: bool
    priority: int
    owner_weighted_seconds: float | None
    expected_run_time: float | None
    submitted_at: Time


class Starts(TypedDict):
    """The time range in which a job is expected to start, or null if unknown.

    `after` is the job that has to end first.
    """

    earliest: Time | None
    latest: Time | None
    after: str | None


class Misfit(TypedDict):
    """A warm pool with the job's instance type, and the request fields that keep the job from using it.

    `hidden fields` stands for fields that are hidden because the caller does not control both jobs.
    """

    pool: str
    fields: list[str]


class Explanation(TypedDict):
    """Why a job waits. For a job that does not wait, only `name`, `state`, `reason` and `pools` are set.

    `near_limits` describes nearly used-up spending limits that may soon make the job wait. `ranking` has a sentence
    about the cost of each choice, best first, if the option `order` is `best`. `deadline` shows whether the
    queue expects the job to meet its deadline, and is null if it has none.
    """

    name: str
    state: JobState
    position: int | None
    reason: Reason
    waits_for: list[str]
    priority: PriorityParts | None
    starts: Starts | None
    near_limits: list[str]
    ranking: list[str]
    deadline: DeadlineOutlook | None
    pools: list[Misfit]


class PriorityForecast(TypedDict):
    """The jobs that would stop or start immediately if some jobs had a different priority."""

    preempts: list[str]
    starts_now: list[str]


class Forecast(TypedDict):
    """The forecast for a submission. `behind` counts the jobs ahead of it, and is null above 5000. `deadline` shows
    whether the queue expects the job to meet its deadline, and is null if it has none. `choices` has the request
    itself, then its alternatives.
    """

    starts_now: bool
    behind: int | None
    preempts: list[str]
    reason: Reason
    starts: Starts
    deadline: DeadlineOutlook | None
    cost_range: CostRange
    choices: list[Choice]
