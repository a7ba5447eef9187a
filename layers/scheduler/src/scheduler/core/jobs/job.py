"""Defines a job: the request that a user submitted, its state in the queue, and the history of its attempts."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.core.jobs.attempt import NONE_EARLIER, EarlierAttempts, EndedAttempt
from scheduler.core.jobs.demand import NOTHING, Demand, InstanceRange
from scheduler.core.jobs.job_state import (
    FINISHED,
    HELD_OR_PARKED,
    LIVE,
    QUEUE,
    QUEUED,
    Action,
    ActionKind,
    Approval,
    ChoiceOrder,
    JobState,
    NotifyMoment,
    Stop,
    StopCause,
)
from scheduler.core.jobs.principal import owner_key_of
from scheduler.core.jobs.reason import Reason, ReasonCode, bounded
from scheduler.core.jobs.start_conditions import NO_DEPENDENCIES, NO_TIMES, ArrayPlace, JobDependencies, JobTimes
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.jobs.work.tuning import NO_PROGRESS, TuningLimits, TuningProgress
from scheduler.errors.refusals import Violation

#: SageMaker's limit on MaxRuntimeInSeconds: 28 days (aws-facts 2.40).
MAX_MAX_RUNTIME = 28 * 86_400
#: A job's record keeps only this many recent actions, because operators may act on a job for months.
MOST_ACTIONS = 50
#: Bytes of an action's message. A job may be parked repeatedly, each time for many rules at once, but its record must
#: stay small (aws-facts 4.20).
LONGEST_MESSAGE = 500
#: A job's record keeps only this many recent finished attempts: enough to see how the job fares, and few enough to read
#: and write with each change. Earlier attempts move to separate items.
MOST_ATTEMPTS = 5
#: Number of random bytes in a job's nonce.
NONCE_BYTES = 16


@dataclass(frozen=True, slots=True)
class JobSpec:
    """Holds the values that the queue reads from a job's request. A job with alternatives has one spec per choice."""

    demand: Demand
    max_runtime: int  # seconds, from StoppingCondition
    spot: bool = False
    keep_alive: int = 0  # seconds to keep its instances after its end, as requested
    pool_key: str = ""  # key of the warm pools that the job fits (core/warm_pools/matching); empty: it fits none
    wait_for_better: int = 0  # seconds that the job waits for the choices before this one
    has_own_limit: bool = False  # the alternative sets `max_runtime`: an update of the job keeps it
    choice: int = 0  # its number among the job's choices, from 0
    has_preferences: bool = False  # SageMaker selects one type of its demand for each attempt
    checkpoint_uri: str | None = None  # without one, a preemption loses all work
    subnets: tuple[str, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()  # without the tags that set queue options
    kind: WorkKind = WorkKind.TRAINING
    tuning: TuningLimits | None = None  # a tuning job's limits


@dataclass(frozen=True, slots=True)
class JobOptions:
    """Holds the user's preferences for a job, in addition to SageMaker's request.

    Users and operators may change the priority.
    """

    priority: int  # higher runs first
    never_preempt: bool = False
    checkpoint_interval: int | None = None  # seconds between two checkpoints of the user's script
    idle_exempt: bool = False  # its GPUs may be idle
    interactive: bool = False  # people work in its container
    source_etag: str | None = None  # ETag of its code in S3, as read by its client; the queue cannot read the code
    notify: tuple[NotifyMoment, ...] = ()  # its owner gets notices of these moments, too
    retries: int | None = None  # how often it runs again after failures; None: as the section `retries` specifies
    order: ChoiceOrder = ChoiceOrder.GIVEN  # how its choices are ranked
    instances: InstanceRange | None = None  # an elastic job's: its choices are the numbers of instances in the range
    times: JobTimes = NO_TIMES
    dependencies: JobDependencies = NO_DEPENDENCIES
    restart_tuning: bool = False  # a stopped tuning job starts over, without a warm start
    min_parallel: int | None = None  # a tuning job's: its choices are numbers of parallel trials, at least this one
    team: str = ""  # the team that its user chose; empty: the owner's


@dataclass(frozen=True, slots=True)
class JobStatus:
    """Holds a job's state and the record of its attempts."""

    state: JobState
    reason: Reason
    updated_at: datetime
    attempts: int = 0  # how many attempt names were used
    preemptions: int = 0
    on_top_since: datetime | None = None  # when it was moved ahead of all other jobs of its priority
    not_before: datetime | None = None  # after a failure, it does not start earlier, and delays no other job until then
    deferred: bool = False  # its user's `not_before` has not come, so no plan considers it
    awaits: str = ""  # the first job that it waits for; no plan considers it until its dependencies are satisfied
    released_at: datetime | None = None  # when its dependencies were satisfied, or it was requeued after its end
    on_demand: bool = False  # the job no longer uses spot instances
    selected: Demand = NOTHING  # the instances that SageMaker selected from preferences for the latest attempt
    stop: Stop | None = None
    warnings: tuple[Violation, ...] = ()  # violations of rules that only warn
    history: tuple[EndedAttempt, ...] = ()  # the last finished attempts …
    earlier: EarlierAttempts = NONE_EARLIER  # … and the sums over the earlier ones
    actions: tuple[Action, ...] = ()  # the most recent actions
    idle_warned_at: datetime | None = None  # when its owner was warned that this attempt leaves its GPUs idle
    underused_warned_at: datetime | None = None  # … or hardly uses them
    hang_warned_at: datetime | None = None  # … or hangs
    nan_warned_at: datetime | None = None  # … or has a loss that is NaN
    hang_retries: int = 0  # how often the job ran again after a hang
    approval: Approval | None = None  # the latest; None: nobody has approved the job
    deadline_warned_at: datetime | None = None  # when its owner was warned that it will miss its deadline
    tuning_progress: TuningProgress = NO_PROGRESS
    models: tuple[tuple[str, str], ...] = ()  # names of predecessors, with the S3 URIs that the request takes from them


@dataclass(frozen=True, slots=True)
class Job:
    """Holds the record of a job. `transitions`, `user_actions` and `core/retries` define all its state changes."""

    name: str
    owner: str  # the caller's ARN, with the session name
    digest: str  # digest of the request body: distinguishes a repeated submission from a name clash
    submitted_at: datetime
    spec: JobSpec
    options: JobOptions
    status: JobStatus
    client_token: str | None = None  # identifies this submission for the caller
    choices: tuple[JobSpec, ...] = ()  # its request and its alternatives, best first; empty if it has no alternatives
    body_digests: tuple[str, ...] = ()  # digests of the choices' stored bodies, so that no attempt uses a replaced body
    place: ArrayPlace | None = None  # its place in its array, if it is a child
    nonce: str = ""  # a secret from which the queue computes the attempts' tags, so that nobody else can
    version: int = 0  # increases with each write; every write is conditional on it

    @property
    def owner_key(self) -> str:
        """Returns the owner's ARN without a session name. All sessions share limits and client tokens."""
        return owner_key_of(self.owner)

    @property
    def checkpoint_interval(self) -> int | None:
        """Returns the seconds between two checkpoints, as the user stated; None if unknown or without checkpoints."""
        return self.options.checkpoint_interval if self.spec.checkpoint_uri else None

    def loses_all_work_of(self, saved: Save | None) -> bool:
        """Returns whether an attempt is known to have saved nothing, so that a stop loses all its work."""
        return self.spec.checkpoint_uri is None or (saved is not None and saved.step is None)

    @property
    def is_never_preempted(self) -> bool:
        """Returns whether the job must keep its instances: its user requires it, or no warm start could continue it."""
        limits = self.spec.tuning
        is_stuck = limits is not None and self.status.tuning_progress.uses_all_parents(limits)
        return self.options.never_preempt or is_stuck

    @property
    def waits_since(self) -> datetime:
        """Returns the time since which a waiting job has been waiting."""
        eligible = self.eligible_since
        return max(self.status.history[-1].ended_at, eligible) if self.status.history else eligible

    @property
    def eligible_since(self) -> datetime:
        """Returns when the job could first start: at its submission, or later if its user made it wait.

        A requeue after the job's end counts like a submission.
        """
        times = (self.submitted_at, self.options.times.not_before, self.status.released_at)
        return max(time for time in times if time is not None)

    @property
    def is_deferred(self) -> bool:
        """Returns whether the job waits for its user's `not_before`, or for other jobs."""
        return self.is_queued and (self.status.deferred or self.status.awaits != "")

    @property
    def follows_others(self) -> bool:
        """Returns whether the job waits for other jobs, or is parked because those jobs can no longer satisfy it."""
        is_parked = self.status.state is JobState.PARKED
        is_unsatisfied = is_parked and self.status.reason.code is ReasonCode.DEPENDENCY_NEVER_SATISFIED
        return self.status.awaits != "" and (self.is_queued or is_unsatisfied)

    @property
    def is_approved(self) -> bool:
        """Returns whether an approval covers the job with its current choice and time limit."""
        approval = self.status.approval
        return approval is not None and approval.covers(self.spec.choice, self.spec.max_runtime)

    @property
    def needs_approval(self) -> bool:
        """Returns whether the job is parked until an operator approves it."""
        return self.status.state is JobState.PARKED and self.status.reason.code is ReasonCode.NEEDS_APPROVAL

    @property
    def each_choice(self) -> "tuple[Job, ...]":
        """Returns the job set to each of its choices."""
        return tuple(replace(self, spec=choice) for choice in self.choices) if self.choices else (self,)

    @property
    def each_variant(self) -> "tuple[Job, ...]":
        """Returns the job in every form that may run: with each choice, or with each type that SageMaker may select."""
        if not self.spec.has_preferences:
            return self.each_choice
        preferences = [replace(self.spec, demand=Demand((preference,))) for preference in self.spec.demand.counts]
        return tuple(replace(self, spec=preference) for preference in preferences)

    def as_choice(self, number: int) -> "Job":
        """Returns the job set to the choice with this number, counted from 0."""
        return replace(self, spec=self.choices[number])

    def with_choice_for(self, demand: Demand) -> "Job":
        """Returns the job set to its choice with this demand, or unchanged if it has none."""
        spec = next((choice for choice in self.choices if choice.demand == demand), self.spec)
        return replace(self, spec=spec)

    @property
    def is_narrowed(self) -> bool:
        """Returns whether the job gave up instances and waits to continue on the instances held for it."""
        return self.status.reason.code is ReasonCode.NARROWED

    @property
    def continues(self) -> bool:
        """Returns whether the job waits to continue on a changed number of instances."""
        return self.status.reason.code in {ReasonCode.NARROWED, ReasonCode.GROWING}

    def demand_of(self, ended: EndedAttempt) -> Demand:
        """Returns the instances that one of the job's attempts held."""
        if ended.selected != NOTHING:
            return ended.selected
        return self.choices[ended.choice].demand if self.choices else self.spec.demand

    @property
    def awaits_selection(self) -> bool:
        """Returns whether SageMaker has yet to select one of the job's preferred instance types."""
        return self.spec.has_preferences and self.status.selected == NOTHING

    @property
    def runs_on(self) -> Demand:
        """Returns the instances of the job's latest attempt or, if the job waits, of its next attempt."""
        waits = self.status.state in QUEUED | HELD_OR_PARKED
        return self.spec.demand if waits or self.status.selected == NOTHING else self.status.selected

    @property
    def is_on_spot(self) -> bool:
        """Returns whether the job's attempts with its current choice run on spot instances."""
        return self.spec.spot and not self.status.on_demand

    @property
    def is_queued(self) -> bool:
        return self.status.state in QUEUED

    @property
    def array(self) -> str:
        """Returns the name of the job's array. For an unreadable record, this is a guess from the job's name."""
        if self.place or self.is_readable:
            return self.place.array if self.place else ""
        return self.name.rpartition("-")[0]

    @property
    def is_live(self) -> bool:
        return self.status.state in LIVE

    @property
    def is_finished(self) -> bool:
        return self.status.state in FINISHED

    @property
    def has_succeeded(self) -> bool:
        return self.status.state is JobState.COMPLETED

    @property
    def model_artifacts(self) -> str:
        """Returns the S3 URI of a completed job's model; empty if it has none."""
        return self.status.history[-1].model_artifacts if self.has_succeeded and self.status.history else ""

    @property
    def outcome(self) -> str:
        """Returns a finished job's state, worded as the end of a sentence."""
        return f"is {self.status.state}"

    @property
    def latest_attempt(self) -> int:
        """Returns the number of the live attempt, or of the last attempt that ended; 0 before the first attempt."""
        if self.is_live:
            return self.status.attempts
        return self.status.history[-1].number if self.status.history else 0

    @property
    def trained_seconds(self) -> float:
        """Returns the total training time of its finished attempts, in seconds."""
        return self.status.earlier.trained_seconds + sum(ended.trained_seconds for ended in self.status.history)

    @property
    def interruptions(self) -> int:
        """Returns how often its finished attempts lost their spot instances."""
        return self.status.earlier.interruptions + sum(ended.interruptions for ended in self.status.history)

    def failures_like(self, last: EndedAttempt) -> int:
        """Returns how many attempts before `last` ended with a failure of the same class."""
        recent = sum(ended.failure_class is last.failure_class for ended in self.status.history[:-1])
        return recent + (self.status.earlier.failures.get(last.failure_class, 0) if last.failure_class else 0)

    @property
    def is_readable(self) -> bool:
        """Returns whether the record was readable. If not, this job is a placeholder for it."""
        return self.status.reason.code is not ReasonCode.UNREADABLE_RECORD

    @property
    def was_cancelled(self) -> bool:
        """Returns whether a cancellation was accepted, even if it is not complete yet."""
        stop = self.status.stop
        is_being_cancelled = stop is not None and stop.cause is StopCause.CANCELLATION
        return is_being_cancelled or self.status.reason.code is ReasonCode.CANCELLED

    def moved_to(self, state: JobState, reason: Reason, now: datetime, stop: Stop | None = None) -> "Job":
        """Returns the job in the given state. `stop` replaces any stop that was requested before."""
        return replace(self, status=replace(self.status, state=state, reason=reason, stop=stop, updated_at=now))

    def with_last_attempt(self, ended: EndedAttempt) -> "Job":
        """Returns the job with the record of its last attempt replaced by `ended`."""
        return replace(self, status=replace(self.status, history=(*self.status.history[:-1], ended)))

    def with_recent_attempts(self) -> "tuple[Job, tuple[EndedAttempt, ...]]":
        """Returns the job with only its recent attempts, and the earlier attempts, which move to separate items."""
        moved, kept = self.status.history[:-MOST_ATTEMPTS], self.status.history[-MOST_ATTEMPTS:]
        earlier = self.status.earlier
        for ended in moved:
            earlier = earlier.plus(ended)
        return (
            (replace(self, status=replace(self.status, history=kept, earlier=earlier)), moved) if moved else (self, ())
        )

    def with_all_attempts(self, moved: Iterable[EndedAttempt]) -> "Job":
        """Returns the job with its whole history, including the attempts that had moved to separate items."""
        found = {(ended.number, ended.ended_at): ended for ended in (*moved, *self.status.history)}
        history = tuple(found[key] for key in sorted(found))
        return replace(self, status=replace(self.status, history=history, earlier=NONE_EARLIER))

    def with_attempt_again(self, ended: EndedAttempt) -> "Job":
        """Returns the job with a moved attempt restored to its record. It moves again when the next attempt ends."""
        history, earlier = (ended, *self.status.history), self.status.earlier.minus(ended)
        return replace(self, status=replace(self.status, history=history, earlier=earlier))

    def with_action(self, kind: ActionKind, now: datetime, message: str = "", by: str = QUEUE) -> "Job":
        """Returns the job, changed at this time, with a new action in its record."""
        action = Action(now, kind, by, bounded(message, LONGEST_MESSAGE))
        actions = (*self.status.actions, action)[-MOST_ACTIONS:]
        return replace(self, status=replace(self.status, actions=actions, updated_at=now))
