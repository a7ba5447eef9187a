"""An attempt: the SageMaker training job that the queue creates to run a job. A job may need several in a row."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from scheduler.core.jobs.bounded_text import bounded
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.stop_notice import Save, StopNotice

#: SageMaker's limit on TrainingJobName (aws-facts 2.29).
MAX_NAME_LENGTH = 63
#: Hexadecimal digits of the digest in a shortened name: 128 bits.
_DIGEST_LENGTH = 32
TERMINAL_STATUSES = frozenset({"Completed", "Failed", "Stopped"})
#: Statuses of warm pools that have released their instances; with any other status they hold them (aws-facts 2.50).
ENDED_POOLS = frozenset({"Reused", "Terminated"})
#: Secondary statuses of an interrupted attempt until it has instances again (aws-facts 2.44).
_WITHOUT_INSTANCES = frozenset({"Interrupted", "Starting", "LaunchingMLInstances", "Pending"})

#: A report of a running job so long after an end is about another training job: the first one was deleted.
AFTER_AN_END = timedelta(minutes=1)
#: How long after its Create was sent SageMaker may say that it created an attempt, by a clock of its own.
LATEST_CREATE = timedelta(minutes=5)


class Outcome(StrEnum):
    """The end of an attempt, in the queue's words."""

    COMPLETED = "completed"
    FAILED = "failed"
    PREEMPTED = "preempted"
    CANCELLED = "cancelled"
    REQUEUED = "requeued"
    STOPPED_OUTSIDE = "stopped_outside"
    LEFT_SPOT = "left_spot"  # stopped to continue on demand
    TIME_LIMIT = "time_limit"
    IDLE = "idle"  # stopped because its GPUs were idle
    NEVER_STARTED = "never_started"  # SageMaker refused to create it, or had no capacity
    VANISHED = "vanished"


class FailureClass(StrEnum):
    """The parts of a failed attempt's cause that the next step depends on."""

    CAPACITY = "capacity"  # SageMaker had no instances
    INTERNAL = "internal"  # SageMaker's own error
    SPOT = "spot"  # spot instances did not come, or were interrupted too often
    HARDWARE = "hardware"  # a broken GPU, a broken link between hosts
    OUT_OF_MEMORY = "out_of_memory"
    DATA = "data"  # its input is missing
    USER = "user"  # its script or its request
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Observation:
    """SageMaker's report about an attempt, in an event or in an answer to Describe."""

    status: str  # TrainingJobStatus; AWS may add values at any time
    secondary_status: str
    modified_at: datetime
    message: str = ""
    failure_reason: str = ""
    training_started_at: datetime | None = None  # absent while the attempt waits for capacity
    training_since: datetime | None = None  # later than that if it was interrupted and trains again
    ended_at: datetime | None = None
    interruptions: int = 0  # how often it lost its spot instances
    keeps_instances: bool = False  # in a warm pool, beyond its end; only Describe reports it
    pool_reused: bool = False  # another job has taken that pool over since; only Describe reports it
    billable_seconds: int | None = None  # for each instance; only Describe reports it, and only after the end
    selected: Demand = NOTHING  # the instances that SageMaker selected from preferences; only Describe reports it
    pool_refused: bool = False  # it should have left a warm pool, and none appeared; only Describe reports it
    by_event: bool = False  # an event reported this status, so events arrive so far
    created_at: datetime | None = None  # when SageMaker accepted it; only Describe reports it

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", bounded(self.message))
        object.__setattr__(self, "failure_reason", bounded(self.failure_reason))

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL_STATUSES

    @property
    def left_pool(self) -> bool:
        """Returns whether a warm pool followed it, even if that has a taker by now."""
        return self.keeps_instances or self.pool_reused

    def supersedes(self, known: "Observation | None") -> bool:
        """Returns whether this observation is newer. Events come late, twice, out of order (aws-facts 1.2 to 1.4)."""
        if known is None:
            return True
        # The end is newer whatever its time: SageMaker may stop an attempt within one tick of its clock.
        if self.is_terminal != known.is_terminal:
            return self.is_terminal or self.modified_at - known.modified_at > AFTER_AN_END
        return self.modified_at > known.modified_at


@dataclass(frozen=True, slots=True)
class Attempt:
    """A live attempt: its record in the table is its reservation of budget."""

    name: str
    job_name: str
    number: int
    demand: Demand
    reserved_at: datetime
    created: bool = False  # SageMaker is known to have it
    stop_sent: bool = False  # SageMaker accepted a stop
    observation: Observation | None = None  # the newest one
    needs_polling: bool = False  # an event reported its end: describe it in the next cycle
    subnet: str = ""  # the one that was chosen for it; empty: all of its job's
    keep_alive: int | None = None  # seconds that its instances are kept beyond its end; None: as its request says
    refused_keep_alive: int = 0  # seconds that a rule for pools had set, and Create refused
    pool_key: str = ""  # of the warm pool that it leaves
    on_pool: str = ""  # the attempt whose warm pool it is to take over …
    started_on: str = ""  # … and the one whose pool it took over, as SageMaker reported
    chain_since: datetime | None = None  # when the instances that it takes over were started
    sent_at: datetime | None = None  # when a Create that may still take effect was last sent again
    takes_notice: bool = False  # it was created with a stop object, so its program can be asked to save
    notice: StopNotice | None = None  # the one that was given; it is never withdrawn
    saved: Save | None = None  # the newest one that its program has reported

    @property
    def last_sent_at(self) -> datetime:
        """Returns when a Create may last have been sent: the first one follows the reservation at once."""
        return self.sent_at or self.reserved_at

    def is_another_job(self, observation: Observation) -> bool:
        """Returns whether it was deleted and somebody has created a training job under its name since."""
        created_at = observation.created_at
        return created_at is not None and created_at - self.last_sent_at > LATEST_CREATE

    @property
    def listens(self) -> bool:
        """Returns whether its program has reported that it reads notices."""
        return self.takes_notice and self.saved is not None

    @property
    def is_readable(self) -> bool:
        """Returns whether this is the record's content; otherwise it is a placeholder for an unreadable record."""
        return self.number > 0

    def without_instances_since(self, observation: Observation) -> datetime | None:
        """Returns since when the attempt has had no instances, at first or after an interruption; None if it has."""
        if observation.training_started_at is None:
            return self.reserved_at
        return observation.modified_at if observation.secondary_status in _WITHOUT_INSTANCES else None

    def was_refused_a_pool(self, observation: Observation) -> bool:
        """Returns whether the attempt should have left a warm pool and did not. A failed attempt shows nothing."""
        return bool(self.keep_alive) and observation.status == "Completed" and observation.pool_refused

    def ended(self, outcome: Outcome, ended_at: datetime, choice: int) -> "EndedAttempt":
        return EndedAttempt(
            self.name, self.number, outcome, self.reserved_at, ended_at, choice=choice, saved=self.saved
        )


@dataclass(frozen=True, slots=True)
class EndedAttempt:
    """An attempt in a job's history."""

    name: str
    number: int
    outcome: Outcome
    reserved_at: datetime
    ended_at: datetime
    training_started_at: datetime | None = None
    status: str = ""
    secondary_status: str = ""
    failure_reason: str = ""
    beneficiary: str = ""  # the job that it was preempted for
    interruptions: int = 0  # how often it lost its spot instances
    failure_class: FailureClass | None = None  # of one that failed
    action: str = ""  # what was done about the failure
    on_pool: str = ""  # the attempt whose warm pool it started on, as SageMaker reported
    retained_seconds: int = 0  # that SageMaker billed for the warm pool that it left
    retained_reported_in: int = 0  # the version of the job that was the first to have them
    choice: int = 0  # the number of the job's choice that it ran
    billable_seconds: int | None = None  # for each instance, as SageMaker reported
    selected: Demand = NOTHING  # the instances that SageMaker selected from preferences
    saved: Save | None = None  # the last one that its program had reported

    @property
    def trained_seconds(self) -> float:
        """Returns the seconds from the start of its training to its end; 0 if it never trained."""
        if self.training_started_at is None:
            return 0.0
        return max(0.0, (self.ended_at - self.training_started_at).total_seconds())


@dataclass(frozen=True, slots=True)
class EarlierAttempts:
    """Sums over the ended attempts that are no longer in the record of their job: each has its own item."""

    count: int = 0
    trained_seconds: int = 0
    interruptions: int = 0
    failures: Mapping[FailureClass, int] = field(default_factory=dict)

    def plus(self, ended: EndedAttempt) -> "EarlierAttempts":
        return self._changed(ended, 1)

    def minus(self, ended: EndedAttempt) -> "EarlierAttempts":
        return self._changed(ended, -1)

    def _changed(self, ended: EndedAttempt, sign: int) -> "EarlierAttempts":
        failures = dict(self.failures)
        if ended.failure_class is not None:
            failures[ended.failure_class] = failures.get(ended.failure_class, 0) + sign
        return EarlierAttempts(
            self.count + sign,
            self.trained_seconds + sign * round(ended.trained_seconds),
            self.interruptions + sign * ended.interruptions,
            failures,
        )


NONE_EARLIER = EarlierAttempts()


def attempt_name(job_name: str, mark: str, number: int) -> str:
    """Returns the attempt's deterministic name: the job's name, the queue's mark and a number, as in `resnet-sq-3`."""
    # The job's name comes first and whole where it fits, because Debugger's stop action matches it as a prefix.
    suffix = f"-{mark}-{number}"
    if len(job_name) + len(suffix) <= MAX_NAME_LENGTH:
        return job_name + suffix
    # A shortened name ends with a digest of the whole. A name that fits never does: its number follows the mark, which
    # begins with a letter. So nobody can find two jobs whose attempts have the same name.
    digest = f"-{sha256(job_name.encode()).hexdigest()[:_DIGEST_LENGTH]}"
    return job_name[: MAX_NAME_LENGTH - len(suffix) - len(digest)].rstrip("-") + suffix + digest


def number_in(name: str, mark: str) -> int | None:
    """Returns the number in the name of an attempt; None if the name is not one of this queue's."""
    match = re.fullmatch(rf".+-{mark}-([1-9][0-9]*)(-[0-9a-f]{{{_DIGEST_LENGTH}}})?", name)
    return int(match[1]) if match else None
