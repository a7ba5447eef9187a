"""A job: what a user submitted, and where it stands in the queue."""

from datetime import datetime
from enum import StrEnum

from attrs import evolve, frozen

from scheduler.core.jobs.action import LONGEST_MESSAGE, MOST_ACTIONS, QUEUE, Action, ActionKind
from scheduler.core.jobs.attempt import EndedAttempt
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.principal import owner_key_of
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.errors.violation import Violation


@frozen
class Choice:
    demand: Demand
    max_runtime: int  # seconds
    spot: bool = False
    wait_for_better: int = 0  # seconds that those before it are waited for
    keep_alive: int = 0  # these two as in Job
    pool_key: str = ""


#: SageMaker's limit on MaxRuntimeInSeconds: 28 days (aws-facts 2.40).
MAX_MAX_RUNTIME = 28 * 86_400


class JobState(StrEnum):
    """States of a job (docs/architecture.md shows the transitions)."""

    PENDING = "pending"  # waits for its first attempt
    PREEMPTED = "preempted"  # waits for its next attempt
    LAUNCHING = "launching"  # budget reserved, SageMaker's answer to Create not recorded yet
    RUNNING = "running"  # SageMaker has the attempt
    STOPPING = "stopping"  # a stop is wanted; the attempt still holds its instances
    HELD = "held"
    PARKED = "parked"  # cannot run until somebody acts
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


#: Waiting for a cycle to launch them: exactly these are in the table's sparse index.
QUEUED = frozenset({JobState.PENDING, JobState.PREEMPTED})
#: Holding budget through a live attempt.
LIVE = frozenset({JobState.LAUNCHING, JobState.RUNNING, JobState.STOPPING})
#: Out of the queue until somebody acts.
HELD_OR_PARKED = frozenset({JobState.HELD, JobState.PARKED})
UNFINISHED = QUEUED | LIVE | HELD_OR_PARKED
#: Ended for good.
FINISHED = frozenset({JobState.COMPLETED, JobState.FAILED, JobState.STOPPED})


class StopCause(StrEnum):
    PREEMPTION = "preemption"
    CANCELLATION = "cancellation"
    SPOT = "spot"  # spot instances do not carry it: it goes on on demand
    REQUEUE = "requeue"  # somebody wants it to start anew
    IDLE = "idle"  # nobody used its GPUs


@frozen
class Stop:
    """A wish to end the live attempt. A cancellation replaces any other, never the other way round."""

    cause: StopCause
    asked_at: datetime
    asked_by: str  # the caller's ARN, or the name of the job that benefits, or nothing for the budget


@frozen
class Job:
    name: str
    state: JobState
    priority: int
    demand: Demand
    submitted_at: datetime
    updated_at: datetime
    owner: str  # ARN of the caller, a session's name included
    digest: str  # of the request body: tells a repeated submission from a name clash
    reason: Reason
    max_runtime: int  # seconds, from StoppingCondition
    checkpoint_uri: str | None = None  # without one, a preemption loses all work
    checkpoint_interval: int | None = None  # seconds between the checkpoints that the script writes, as its user says
    never_preempt: bool = False
    client_token: str | None = None  # the caller's own mark of this submission
    attempts: int = 0  # how many attempt names were used
    preemptions: int = 0
    on_top_since: datetime | None = None  # somebody moved it before all others of its priority
    not_before: datetime | None = None  # it does not start earlier, and holds nobody up until then
    spot: bool = False  # its request asks for spot instances
    on_demand: bool = False  # although its request asks for spot instances
    subnets: tuple[str, ...] = ()  # of its request
    choices: tuple[Choice, ...] = ()  # if there are alternatives: its request and these, the best first
    choice: int = 0  # the one that demand, longest run time and spot are of: taken last, or considered now
    stop: Stop | None = None
    warnings: tuple[Violation, ...] = ()  # what rules had against it that do not refuse
    history: tuple[EndedAttempt, ...] = ()
    actions: tuple[Action, ...] = ()  # what was done to it, the last ones
    idle_exempt: bool = False  # its GPUs may be idle
    keep_alive: int = 0  # for how many seconds its user asks to keep its instances beyond its end
    pool_key: str = ""  # of the warm pools that it fits (policy/pools/matching); empty: of none
    has_preferences: bool = False  # SageMaker selects one type of its demand for each attempt …
    selected: Demand = NOTHING  # … and has selected this for the latest one
    tags: tuple[tuple[str, str], ...] = ()  # of its request, but those that are options of the queue
    idle_warned_at: datetime | None = None  # when its owner was told that this attempt leaves its GPUs idle
    underused_warned_at: datetime | None = None  # the same, that it hardly uses them
    version: int = 0  # grows with each write; every write is conditional on it

    @property
    def owner_key(self) -> str:
        """Who the owner is, where jobs are counted and tokens told apart."""
        return owner_key_of(self.owner)

    @property
    def waits_since(self) -> datetime:
        """Of a job that waits."""
        return self.history[-1].ended_at if self.history else self.submitted_at

    @property
    def each_choice(self) -> "tuple[Job, ...]":
        """The job as it is with each of its choices."""
        return tuple(map(self.as_choice, range(len(self.choices)))) if self.choices else (self,)

    @property
    def each_variant(self) -> "tuple[Job, ...]":
        """The job as it may run: with each of its choices, or on each of the types that SageMaker selects one of."""
        if not self.has_preferences:
            return self.each_choice
        return tuple(evolve(self, demand=Demand((preference,))) for preference in self.demand.counts)

    def demand_of(self, past: EndedAttempt) -> Demand:
        """What one of its attempts held."""
        if past.selected != NOTHING:
            return past.selected
        return self.choices[past.choice].demand if self.choices else self.demand

    def as_choice(self, number: int) -> "Job":
        """The job with the choice of this number, from 0."""
        taken = self.choices[number]
        return evolve(
            self,
            choice=number,
            demand=taken.demand,
            spot=taken.spot,
            max_runtime=taken.max_runtime,
            keep_alive=taken.keep_alive,
            pool_key=taken.pool_key,
        )

    @property
    def awaits_selection(self) -> bool:
        """Whether any of its types may be the one that it runs on, as far as is known."""
        return self.has_preferences and self.selected == NOTHING

    @property
    def runs_on(self) -> Demand:
        """The instances of its latest attempt; of one that waits, those of the next."""
        waits = self.state in QUEUED | HELD_OR_PARKED
        return self.demand if waits or self.selected == NOTHING else self.selected

    @property
    def is_queued(self) -> bool:
        return self.state in QUEUED

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    @property
    def is_finished(self) -> bool:
        return self.state in FINISHED

    @property
    def latest_attempt(self) -> int:
        """The number of the live attempt, or of the last one that ended; 0 before the first."""
        if self.is_live:
            return self.attempts
        return self.history[-1].number if self.history else 0

    @property
    def is_readable(self) -> bool:
        """Whether this is what its record says; else it only stands in for one that cannot be read."""
        return self.reason.code is not ReasonCode.UNREADABLE_RECORD

    @property
    def was_cancelled(self) -> bool:
        """Whether a user's cancel was accepted, carried out or not."""
        wish = self.stop is not None and self.stop.cause is StopCause.CANCELLATION
        return wish or self.reason.code is ReasonCode.CANCELLED

    def with_action(self, kind: ActionKind, now: datetime, message: str = "", by: str = QUEUE) -> "Job":
        """The job with one more line of what was done to it."""
        return evolve(self, actions=(*self.actions, Action(now, kind, by, message[:LONGEST_MESSAGE]))[-MOST_ACTIONS:])
