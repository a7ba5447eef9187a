"""A job: what a user submitted, its state in the queue, and what became of its attempts."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.core.jobs.attempt import NONE_EARLIER, EarlierAttempts, EndedAttempt
from scheduler.core.jobs.bounded_text import bounded
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job_state import (
    FINISHED,
    HELD_OR_PARKED,
    LIVE,
    QUEUE,
    QUEUED,
    Action,
    ActionKind,
    JobState,
    Stop,
    StopCause,
)
from scheduler.core.jobs.principal import owner_key_of
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.errors.refusals import Violation

#: SageMaker's limit on MaxRuntimeInSeconds: 28 days (aws-facts 2.40).
MAX_MAX_RUNTIME = 28 * 86_400
#: A job's record keeps this many actions, the newest: an operator may move a job about for months.
MOST_ACTIONS = 50
#: Bytes: a job may be parked again and again for many rules at once; its record must stay small (aws-facts 4.20).
LONGEST_MESSAGE = 500
#: A job's record keeps this many ended attempts, the newest: enough to see what happens to it, and few enough to be
#: read and written with each change. Earlier ones move to items of their own.
MOST_ATTEMPTS = 5
#: The random bytes of a job's nonce.
NONCE_BYTES = 16


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
    source_etag: str | None = None  # of its code in S3, as its client read it; the queue may not read it


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
    history: tuple[EndedAttempt, ...] = ()  # the last ended attempts …
    earlier: EarlierAttempts = NONE_EARLIER  # … and the sums over those before them
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
    body_digests: tuple[str, ...] = ()  # of the stored body of each choice: a replaced body starts nothing
    nonce: str = ""  # a secret from which the tags of its attempts are computed: nobody else can compute them
    version: int = 0  # grows with each write; every write is conditional on it

    @property
    def owner_key(self) -> str:
        """Returns the owner without a session's name, by which jobs are counted and client tokens are kept apart."""
        return owner_key_of(self.owner)

    @property
    def checkpoint_interval(self) -> int | None:
        """Returns the seconds between two checkpoints as the user stated; None if unknown, or if there are none."""
        return self.options.checkpoint_interval if self.spec.checkpoint_uri else None

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
    def trained_seconds(self) -> float:
        """Returns the seconds of training of all its ended attempts."""
        return self.status.earlier.trained_seconds + sum(ended.trained_seconds for ended in self.status.history)

    @property
    def interruptions(self) -> int:
        """Returns how often its ended attempts lost their spot instances."""
        return self.status.earlier.interruptions + sum(ended.interruptions for ended in self.status.history)

    def failures_like(self, last: EndedAttempt) -> int:
        """Returns how many attempts before the last one ended with a failure of its class."""
        recent = sum(ended.failure_class is last.failure_class for ended in self.status.history[:-1])
        return recent + (self.status.earlier.failures.get(last.failure_class, 0) if last.failure_class else 0)

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

    def with_recent_attempts(self) -> "tuple[Job, tuple[EndedAttempt, ...]]":
        """Returns the job with its last attempts only, and the ones before, which move to their own items."""
        moved, kept = self.status.history[:-MOST_ATTEMPTS], self.status.history[-MOST_ATTEMPTS:]
        earlier = self.status.earlier
        for ended in moved:
            earlier = earlier.plus(ended)
        return (
            (replace(self, status=replace(self.status, history=kept, earlier=earlier)), moved) if moved else (self, ())
        )

    def with_all_attempts(self, moved: Iterable[EndedAttempt]) -> "Job":
        """Returns the job with the attempts that had moved to their own items."""
        found = {(ended.number, ended.ended_at): ended for ended in (*moved, *self.status.history)}
        history = tuple(found[key] for key in sorted(found))
        return replace(self, status=replace(self.status, history=history, earlier=NONE_EARLIER))

    def with_attempt_again(self, ended: EndedAttempt) -> "Job":
        """Returns the job with an attempt that had moved, until its next end moves it again."""
        history, earlier = (ended, *self.status.history), self.status.earlier.minus(ended)
        return replace(self, status=replace(self.status, history=history, earlier=earlier))

    def with_action(self, kind: ActionKind, now: datetime, message: str = "", by: str = QUEUE) -> "Job":
        """Returns the job with one more action in its record."""
        action = Action(now, kind, by, bounded(message, LONGEST_MESSAGE))
        return replace(self, status=replace(self.status, actions=(*self.status.actions, action)[-MOST_ACTIONS:]))
