"""An attempt: one real SageMaker training job for a job of the queue."""

from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from attrs import frozen

from scheduler.core.jobs.demand import NOTHING, Demand


class FailureClass(StrEnum):
    CAPACITY = "capacity"  # SageMaker had no instances to give
    INTERNAL = "internal"  # SageMaker's own error
    SPOT = "spot"  # spot instances did not come, or went too often
    HARDWARE = "hardware"  # a broken GPU, a broken link between hosts
    OUT_OF_MEMORY = "out_of_memory"
    DATA = "data"  # its input is not there
    USER = "user"  # its script or its request
    UNKNOWN = "unknown"


#: SageMaker's limit on TrainingJobName (aws-facts 2.29).
MAX_NAME_LENGTH = 63
TERMINAL_STATUSES = frozenset({"Completed", "Failed", "Stopped"})
#: Of warm pools that hold instances no more; whatever else SageMaker says of one, it holds them (aws-facts 2.50).
ENDED_POOLS = frozenset({"Reused", "Terminated"})
#: Secondary statuses of an interrupted attempt until it has instances again (aws-facts 2.44).
_WITHOUT_INSTANCES = frozenset({"Interrupted", "Starting", "LaunchingMLInstances", "Pending"})


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


@frozen
class Observation:
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
    billable_seconds: int | None = None  # for each instance; only Describe tells, and only after the end
    selected: Demand = NOTHING  # which instances SageMaker took, where it was to select; only Describe tells
    pool_refused: bool = False  # it was to leave a warm pool, and none appeared; only Describe tells
    by_event: bool = False  # an event told of this status: they arrive, so far

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL_STATUSES

    def supersedes(self, known: "Observation | None") -> bool:
        """Whether it is news. Events come late, twice and out of order (aws-facts 1.2 to 1.4).

        The end is news whatever its time: SageMaker may stop an attempt within one tick of its clock.
        """
        if known is None:
            return True
        if self.is_terminal != known.is_terminal:
            return self.is_terminal
        return self.modified_at > known.modified_at


@frozen
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
    needs_polling: bool = False  # an event said that it ended: describe it in the next cycle
    subnet: str = ""  # the one of its job's that was chosen; else it names them all
    keep_alive: int | None = None  # seconds that its instances are kept beyond its end; None: as its request says
    pool_key: str = ""  # of what it leaves in a pool
    on_pool: str = ""  # the attempt whose warm pool it is to take over …
    started_on: str = ""  # … and that whose pool it took over, as SageMaker said
    chain_since: datetime | None = None  # when the instances were started that it takes over
    lent_to: str = ""  # of a pool: the attempt that is to take it over …
    lent: Demand = NOTHING  # … which holds this for it meanwhile
    sent_at: datetime | None = None  # when a Create was last sent again that may still take effect

    @property
    def last_sent_at(self) -> datetime:
        """When SageMaker may last have been asked for it: the first Create follows the reservation at once."""
        return self.sent_at or self.reserved_at

    @property
    def is_readable(self) -> bool:
        """Whether this is what its record says; else it only stands in for one that cannot be read."""
        return self.number > 0

    def without_instances_since(self, observation: Observation) -> datetime | None:
        """Returns since when the attempt has had no instances, at first or after an interruption; None if it has."""
        if observation.training_started_at is None:
            return self.reserved_at
        return observation.modified_at if observation.secondary_status in _WITHOUT_INSTANCES else None

    def was_refused_a_pool(self, observation: Observation) -> bool:
        """Whether the attempt was to leave a pool and left none. One that failed says nothing."""
        return bool(self.keep_alive) and observation.status == "Completed" and observation.pool_refused

    @property
    def kept_until(self) -> datetime | None:
        """Of a pool: when it ends by itself, as far as that is known."""
        ended_at = self.observation.ended_at if self.observation else None
        return ended_at + timedelta(seconds=self.keep_alive) if ended_at and self.keep_alive else None


@frozen
class EndedAttempt:
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
    on_pool: str = ""  # the attempt whose warm pool it started on, as SageMaker said
    retained: int = 0  # seconds that SageMaker billed for the pool that it left
    retained_reported_in: int = 0  # the version of the job that was the first to tell it
    choice: int = 0  # which of the job's choices it was
    billable_seconds: int | None = None  # for each instance, as SageMaker says
    selected: Demand = NOTHING  # which instances SageMaker took, where it was to select

    @property
    def trained_seconds(self) -> float:
        """From the start of its training to its end; 0 if it never came to train."""
        if self.training_started_at is None:
            return 0.0
        return max(0.0, (self.ended_at - self.training_started_at).total_seconds())


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
