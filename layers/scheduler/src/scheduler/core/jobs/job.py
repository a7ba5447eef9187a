"""A job: what a user submitted, its state in the queue, and what became of its attempts."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from scheduler.core.jobs.attempt import EndedAttempt
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.principal import owner_key_of
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.errors.refusals import Violation

#: SageMaker's limit on MaxRuntimeInSeconds: 28 days (aws-facts 2.40).
MAX_MAX_RUNTIME = 28 * 86_400
#: A job's record keeps this many actions, the newest: an operator may move a job about for months.
MOST_ACTIONS = 50
#: A job may be parked again and again for many rules at once; its record must stay small (aws-facts 4.20).
LONGEST_MESSAGE = 500
#: The `by` of actions that the queue took by itself.
QUEUE = "queue"


class JobState(StrEnum):
    """States of a job (docs/records.md shows the transitions)."""

    PENDING = "pending"  # waits for its first attempt
    PREEMPTED = "preempted"  # waits for its next attempt
    LAUNCHING = "launching"  # budget reserved; SageMaker's answer to Create is not recorded yet
    RUNNING = "running"  # SageMaker has the attempt
    STOPPING = "stopping"  # a stop is requested; the attempt still holds its instances
    HELD = "held"
    PARKED = "parked"  # cannot run until a user or an operator acts
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


#: States of jobs that wait to be launched: exactly these are in the table's sparse index.
QUEUED = frozenset({JobState.PENDING, JobState.PREEMPTED})
#: States of jobs that hold budget through a live attempt.
LIVE = frozenset({JobState.LAUNCHING, JobState.RUNNING, JobState.STOPPING})
#: States of jobs that are out of the queue until a user or an operator acts.
HELD_OR_PARKED = frozenset({JobState.HELD, JobState.PARKED})
UNFINISHED = QUEUED | LIVE | HELD_OR_PARKED
#: States of jobs that have ended.
FINISHED = frozenset({JobState.COMPLETED, JobState.FAILED, JobState.STOPPED})


class StopCause(StrEnum):
    PREEMPTION = "preemption"
    CANCELLATION = "cancellation"
    SPOT = "spot"  # spot instances do not suffice: the job continues on demand
    REQUEUE = "requeue"  # a user wants another attempt, or the job switches to another alternative
    IDLE = "idle"  # its GPUs were idle


@dataclass(frozen=True, slots=True)
class Stop:
    """A request to end the live attempt. A cancellation replaces any other stop, and no other stop replaces it."""

    cause: StopCause
    asked_at: datetime
    asked_by: str  # the caller's ARN, or the name of the job that benefits; empty if the budget was reduced


class ActionKind(StrEnum):
    CANCELLED = "cancelled"
    HELD = "held"
    RELEASED = "released"
    REQUEUED = "requeued"
    PRIORITISED = "prioritised"
    TOPPED = "topped"
    UNPARKED = "unparked"  # submitted again, or the budget has grown
    PARKED = "parked"
    PREEMPTED = "preempted"
    LEFT_SPOT = "left_spot"
    WARNED_IDLE = "warned_idle"  # the owner was warned that its GPUs are idle …
    WARNED_UNDERUSED = "warned_underused"  # … or hardly used
    STOPPED_IDLE = "stopped_idle"
    SPARED = "spared"  # a stop for idle GPUs was withdrawn: the program had restarted
    RETRIED = "retried"
    GIVEN_UP = "given_up"
    ADOPTED = "adopted"  # its attempt was missing from the records


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that was done to a job. `message` is the queue's own text: SageMaker's may quote the request."""

    at: datetime
    kind: ActionKind
    by: str  # the caller's ARN, or QUEUE
    message: str = ""


@dataclass(frozen=True, slots=True)
class JobSpec:
    """The request of a job, as the queue read it. A job with alternatives has one spec for each choice."""

    demand: Demand
    max_runtime: int  # seconds, from StoppingCondition
    spot: bool = False
    keep_alive: int = 0  # seconds that its request asks to keep its instances beyond its end
    pool_key: str = ""  # of the warm pools that it fits (core/warm_pools/matching); empty: of none
    wait_for_better: int = 0  # seconds that the job waits for the choices before this one
    choice: int = 0  # its number among the job's choices
    has_preferences: bool = False  # SageMaker selects one type of its demand for each attempt
    checkpoint_uri: str | None = None  # without one, a preemption loses all work
    subnets: tuple[str, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()  # without those that are options of the queue


@dataclass(frozen=True, slots=True)
class JobOptions:
    """Preferences of a job's user beyond SageMaker's request. Users and operators may change the priority."""

    priority: int  # higher runs first
    never_preempt: bool = False
    checkpoint_interval: int | None = None  # seconds between two checkpoints of the user's script
    idle_exempt: bool = False  # its GPUs may be idle


@dataclass(frozen=True, slots=True)
class JobStatus:
    """The state of a job, and the record of its attempts."""

    state: JobState
    reason: Reason
    updated_at: datetime
    attempts: int = 0  # how many attempt names were used
    preemptions: int = 0
    on_top_since: datetime | None = None  # when it was moved before all other jobs of its priority
    not_before: datetime | None = None  # it does not start earlier, and delays no other job until then
    on_demand: bool = False  # it has left spot
    selected: Demand = NOTHING  # the instances that SageMaker selected from preferences for the latest attempt
    stop: Stop | None = None
    warnings: tuple[Violation, ...] = ()  # of rules that warn
    history: tuple[EndedAttempt, ...] = ()
    actions: tuple[Action, ...] = ()  # the newest ones
    idle_warned_at: datetime | None = None  # when its owner was warned that this attempt leaves its GPUs idle
    underused_warned_at: datetime | None = None  # … and when, that it hardly uses them


@dataclass(frozen=True, slots=True)
class Job:
    """The record of a job. Its status and priority change only through `transitions` and `user_actions`."""

    name: str
    owner: str  # ARN of the caller, with the name of its session
    digest: str  # of the request body: distinguishes a repeated submission from a name clash
    submitted_at: datetime
    spec: JobSpec
    options: JobOptions
    status: JobStatus
    client_token: str | None = None  # by which the caller identifies this submission
    choices: tuple[JobSpec, ...] = ()  # of its request and the alternatives to it, the best first; empty without any
    version: int = 0  # grows with each write; every write is conditional on it

    @property
    def owner_key(self) -> str:
        """Returns the owner without a session's name, by which jobs are counted and client tokens are kept apart."""
        return owner_key_of(self.owner)

    @property
    def waits_since(self) -> datetime:
        """Returns since when a waiting job has waited."""
        return self.status.history[-1].ended_at if self.status.history else self.submitted_at

    @property
    def each_choice(self) -> "tuple[Job, ...]":
        """Returns the job as each of its choices."""
        return tuple(replace(self, spec=choice) for choice in self.choices) if self.choices else (self,)

    @property
    def each_variant(self) -> "tuple[Job, ...]":
        """Returns the job as it may run: as each of its choices, or on each type that SageMaker may select."""
        if not self.spec.has_preferences:
            return self.each_choice
        preferences = [replace(self.spec, demand=Demand((preference,))) for preference in self.spec.demand.counts]
        return tuple(replace(self, spec=preference) for preference in preferences)

    def as_choice(self, number: int) -> "Job":
        """Returns the job as the choice of this number, from 0."""
        return replace(self, spec=self.choices[number])

    def demand_of(self, ended: EndedAttempt) -> Demand:
        """Returns the instances that one of its attempts held."""
        if ended.selected != NOTHING:
            return ended.selected
        return self.choices[ended.choice].demand if self.choices else self.spec.demand

    @property
    def awaits_selection(self) -> bool:
        """Returns whether SageMaker has not selected yet which of its preferred types it runs on."""
        return self.spec.has_preferences and self.status.selected == NOTHING

    @property
    def runs_on(self) -> Demand:
        """Returns the instances of its latest attempt; if the job waits, those of the next one."""
        waits = self.status.state in QUEUED | HELD_OR_PARKED
        return self.spec.demand if waits or self.status.selected == NOTHING else self.status.selected

    @property
    def is_queued(self) -> bool:
        return self.status.state in QUEUED

    @property
    def is_live(self) -> bool:
        return self.status.state in LIVE

    @property
    def is_finished(self) -> bool:
        return self.status.state in FINISHED

    @property
    def latest_attempt(self) -> int:
        """Returns the number of the live attempt, or of the last one that ended; 0 before the first."""
        if self.is_live:
            return self.status.attempts
        return self.status.history[-1].number if self.status.history else 0

    @property
    def is_readable(self) -> bool:
        """Returns whether this is the record's content; otherwise it is a placeholder for an unreadable record."""
        return self.status.reason.code is not ReasonCode.UNREADABLE_RECORD

    @property
    def was_cancelled(self) -> bool:
        """Returns whether a cancellation was accepted, whether or not it is complete."""
        stop = self.status.stop
        is_being_cancelled = stop is not None and stop.cause is StopCause.CANCELLATION
        return is_being_cancelled or self.status.reason.code is ReasonCode.CANCELLED

    def moved_to(self, state: JobState, reason: Reason, now: datetime, stop: Stop | None = None) -> "Job":
        """Returns the job in another state. A stop that was requested before is replaced."""
        return replace(self, status=replace(self.status, state=state, reason=reason, stop=stop, updated_at=now))

    def with_last_attempt(self, ended: EndedAttempt) -> "Job":
        """Returns the job with another record of its last attempt."""
        return replace(self, status=replace(self.status, history=(*self.status.history[:-1], ended)))

    def with_action(self, kind: ActionKind, now: datetime, message: str = "", by: str = QUEUE) -> "Job":
        """Returns the job with one more action in its record."""
        action = Action(now, kind, by, message[:LONGEST_MESSAGE])
        return replace(self, status=replace(self.status, actions=(*self.status.actions, action)[-MOST_ACTIONS:]))
