"""An attempt: one real SageMaker training job for a job of the queue."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from scheduler.domain.demand import Demand
from scheduler.domain.failure import FailureClass

#: SageMaker's limit on TrainingJobName (aws-facts 2.29).
MAX_NAME_LENGTH = 63
TERMINAL_STATUSES = frozenset({"Completed", "Failed", "Stopped"})
#: Of warm pools that hold instances no more; whatever else SageMaker says of one, it holds them (aws-facts 2.50).
ENDED_POOLS = frozenset({"Reused", "Terminated"})


class Outcome(StrEnum):
    """How an attempt ended, in the queue's words."""

    COMPLETED = "completed"
    FAILED = "failed"
    PREEMPTED = "preempted"
    CANCELLED = "cancelled"
    REQUEUED = "requeued"
    STOPPED_OUTSIDE = "stopped_outside"
    LEFT_SPOT = "left_spot"  # stopped to go on on demand
    TIME_LIMIT = "time_limit"
    IDLE = "idle"  # stopped because nobody used its GPUs
    NEVER_STARTED = "never_started"  # SageMaker refused to create it, or had no capacity
    VANISHED = "vanished"


@dataclass(frozen=True, slots=True)
class Sighting:
    """What SageMaker said of an attempt, in an event or in an answer to Describe."""

    status: str  # TrainingJobStatus; values may be added by AWS at any time
    secondary_status: str
    modified_at: datetime
    message: str = ""
    failure_reason: str = ""
    training_started_at: datetime | None = None  # absent while it waits for capacity
    training_since: datetime | None = None  # later than that if it was interrupted and trains again
    ended_at: datetime | None = None
    interruptions: int = 0  # how often spot instances were taken away
    keeps_instances: bool = False  # in a warm pool, beyond its end; only Describe tells
    by_event: bool = False  # an event told of this status: they arrive, so far

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL_STATUSES

    def supersedes(self, known: "Sighting | None") -> bool:
        """Whether it is news. Events come late, twice and out of order (aws-facts 1.2 to 1.4).

        The end is news whatever its time: SageMaker may stop an attempt within one tick of its clock.
        """
        if known is None:
            return True
        if self.is_terminal != known.is_terminal:
            return self.is_terminal
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
    sighting: Sighting | None = None  # the newest one
    needs_look: bool = False  # an event said that it ended: describe it in the next cycle

    @property
    def is_readable(self) -> bool:
        """Whether this is what its record says; else it only stands in for one that cannot be read."""
        return self.number > 0


@dataclass(frozen=True, slots=True)
class PastAttempt:
    """One line of a job's history."""

    name: str
    number: int
    outcome: Outcome
    reserved_at: datetime
    ended_at: datetime
    training_started_at: datetime | None = None
    status: str = ""
    secondary_status: str = ""
    failure_reason: str = ""
    beneficiary: str = ""  # the job it was preempted for
    interruptions: int = 0  # how often its spot instances were taken away
    failure_class: FailureClass | None = None  # of one that failed
    action: str = ""  # what was done about that


def attempt_name(job_name: str, mark: str, number: int) -> str:
    """The attempt's deterministic name: the job's own name, the queue's mark, the number: `resnet-sq-3`.

    The job's name comes first and whole where it fits, because Debugger's stop action matches it as a prefix.
    A name that has to be cut keeps a digest of the whole, so that two long names never meet.
    """
    suffix = f"-{mark}-{number}"
    if len(job_name) + len(suffix) <= MAX_NAME_LENGTH:
        return job_name + suffix
    tag = f"-{_short_digest(job_name)}"
    kept = job_name[: MAX_NAME_LENGTH - len(tag) - len(suffix)].rstrip("-")
    return kept + tag + suffix


def _short_digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:6]
