"""Defines attempts: the SageMaker training jobs that the queue creates, one after another, to run a job."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.reason import bounded
from scheduler.core.jobs.stop_notice import Save, StopNotice
from scheduler.core.jobs.work.kind import FORMS, WorkKind
from scheduler.core.jobs.work.tuning import Trial

TERMINAL_STATUSES = frozenset({"Completed", "Failed", "Stopped"})
#: Statuses of jobs that have ended or that SageMaker is stopping.
ENDING_STATUSES = TERMINAL_STATUSES | {"Stopping"}
#: Statuses of warm pools that have released their instances. Pools in any other status hold them (aws-facts 2.50).
ENDED_POOLS = frozenset({"Reused", "Terminated"})
#: Secondary statuses of an interrupted attempt until it has instances again (aws-facts 2.44).
_WITHOUT_INSTANCES = frozenset({"Interrupted", "Starting", "LaunchingMLInstances", "Pending"})

#: Metric names with their values as text, which the table stores exactly.
Metrics = tuple[tuple[str, str], ...]
#: If a report that a job is running is this much newer than the job's end, it concerns a new training job: the first
#: one was deleted.
AFTER_AN_END = timedelta(minutes=1)
#: The longest time between a Create call and the creation time that SageMaker reports, by its own clock.
LATEST_CREATE = timedelta(minutes=5)


class Outcome(StrEnum):
    """Classifies how an attempt ended, in the queue's terms."""

    COMPLETED = "completed"
    FAILED = "failed"
    PREEMPTED = "preempted"
    CANCELLED = "cancelled"
    REQUEUED = "requeued"
    STOPPED_OUTSIDE = "stopped_outside"
    LEFT_SPOT = "left_spot"  # stopped to continue on demand
    TIME_LIMIT = "time_limit"
    IDLE = "idle"  # stopped because its GPUs were idle
    UNDERUSED = "underused"  # stopped because its GPUs were hardly used
    NAN_LOSS = "nan_loss"  # stopped because its loss was NaN
    HUNG = "hung"  # stopped because its program hung
    NEVER_STARTED = "never_started"  # SageMaker refused to create it, or had no capacity
    VANISHED = "vanished"


class FailureClass(StrEnum):
    """Classifies the causes of failed attempts, as far as the queue's next step depends on them."""

    CAPACITY = "capacity"  # SageMaker had no instances
    INTERNAL = "internal"  # SageMaker's own error
    SPOT = "spot"  # spot instances were not available, or were interrupted too often
    HARDWARE = "hardware"  # a broken GPU, or a broken link between hosts
    OUT_OF_MEMORY = "out_of_memory"
    DATA = "data"  # its input is missing
    USER = "user"  # an error in its script or request
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Observation:
    """Holds SageMaker's report about an attempt, from an event or from a response to Describe."""

    status: str  # TrainingJobStatus; AWS may add values at any time
    secondary_status: str
    modified_at: datetime
    message: str = ""
    failure_reason: str = ""
    training_started_at: datetime | None = None  # absent while the attempt waits for capacity
    training_since: datetime | None = None  # later than the start if it resumed after an interruption
    ended_at: datetime | None = None
    interruptions: int = 0  # how often it lost its spot instances
    stretches: tuple[float, ...] = ()  # seconds of training up to each interruption and its end; only Describe has them
    keeps_instances: bool = False  # in a warm pool, after its end; only Describe reports it
    pool_reused: bool = False  # another job has since taken over the pool; only Describe reports it
    billable_seconds: int | None = None  # per instance; only Describe reports it, and only after the end
    selected: Demand = NOTHING  # the instances that SageMaker selected from preferences; only Describe reports it
    pool_refused: bool = False  # it should have left a warm pool, but none appeared; only Describe reports it
    by_event: bool = False  # an event reported this status, so events are arriving
    created_at: datetime | None = None  # when SageMaker accepted it; only Describe reports it
    model_artifacts: str = ""  # S3 URI of its model; only Describe reports it and the metrics
    metrics: Metrics = ()  # the last values of its MetricDefinitions
    trials: tuple[Trial, ...] = ()  # a tuning job's; only Describe reports them, and only after its end
    tuning_job: str = ""  # the tuning job that started this trial; only Describe reports it

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", bounded(self.message))
        object.__setattr__(self, "failure_reason", bounded(self.failure_reason))
        object.__setattr__(self, "model_artifacts", bounded(self.model_artifacts))

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL_STATUSES

    @property
    def left_pool(self) -> bool:
        """Returns whether the attempt left a warm pool, even if another job has since taken over the pool."""
        return self.keeps_instances or self.pool_reused

    def supersedes(self, known: "Observation | None") -> bool:
        """Returns whether this observation is newer.

        Events may arrive late, twice or out of order (aws-facts 1.2 to 1.4).
        """
        if known is None:
            return True
        # An end counts as newer, whatever its time: the start and the stop may be within one tick of SageMaker's clock.
        if self.is_terminal != known.is_terminal:
            return self.is_terminal or self.modified_at - known.modified_at > AFTER_AN_END
        return self.modified_at > known.modified_at


@dataclass(frozen=True, slots=True)
class Attempt:
    """Holds the record of a live attempt. As long as the record is in the table, it reserves budget for the attempt."""

    name: str
    job_name: str
    number: int
    demand: Demand
    reserved_at: datetime
    created: bool = False  # SageMaker is known to have created it
    stop_sent: bool = False  # SageMaker accepted a stop
    observation: Observation | None = None  # the most recent one
    needs_polling: bool = False  # an event reported its end, so the next cycle describes it
    subnet: str = ""  # the subnet chosen for it; empty: all subnets of its job
    keep_alive: int | None = None  # seconds to keep its instances after its end; None: as specified in its request
    refused_keep_alive: int = 0  # seconds that a pool rule had set, but that Create refused
    pool_key: str = ""  # key of the warm pool that it leaves
    on_pool: str = ""  # the attempt whose warm pool it is to take over …
    started_on: str = ""  # … and the one whose pool it took over, as SageMaker reported
    chain_since: datetime | None = None  # when the instances that it takes over were started
    sent_at: datetime | None = None  # when a Create that may still take effect was last sent again
    takes_notice: bool = False  # it has a stop object, so its program can be asked to save
    notice: StopNotice | None = None  # the notice to its program; never withdrawn
    saved: Save | None = None  # the latest save that its program has reported
    recorded_interruptions: int = 0  # how many of its interruptions the job's record counts

    @property
    def last_sent_at(self) -> datetime:
        """Returns the last time at which a Create may have been sent.

        The first Create directly follows the reservation.
        """
        return self.sent_at or self.reserved_at

    def is_another_job(self, observation: Observation) -> bool:
        """Returns whether the attempt was deleted, and the observed training job was later created with its name."""
        created_at = observation.created_at
        return created_at is not None and created_at - self.last_sent_at > LATEST_CREATE

    @property
    def listens(self) -> bool:
        """Returns whether the attempt's program has reported that it reads notices."""
        return self.takes_notice and self.saved is not None

    @property
    def is_readable(self) -> bool:
        """Returns whether the record was readable. If not, this attempt is a placeholder for it."""
        return self.number > 0

    def without_instances_since(self, observation: Observation) -> datetime | None:
        """Returns the time since which the attempt has lacked instances; None if it has instances.

        An attempt lacks instances before its training starts and after an interruption.
        """
        if observation.training_started_at is None:
            return self.reserved_at
        return observation.modified_at if observation.secondary_status in _WITHOUT_INSTANCES else None

    def was_refused_a_pool(self, observation: Observation) -> bool:
        """Returns whether the attempt should have left a warm pool but did not. Only a completed attempt shows this."""
        return bool(self.keep_alive) and observation.status == "Completed" and observation.pool_refused

    def ended(self, outcome: Outcome, ended_at: datetime, choice: int, *, spot: bool) -> "EndedAttempt":
        return EndedAttempt(
            self.name, self.number, outcome, self.reserved_at, ended_at, choice=choice, spot=spot, saved=self.saved
        )


@dataclass(frozen=True, slots=True)
class EndedAttempt:
    """Records a finished attempt in a job's history."""

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
    interrupted_seconds: int | None = 0  # seconds since its training began that interruptions cost it, as estimated;
    # None on spot if the cost of an interruption is unknown
    failure_class: FailureClass | None = None  # None unless it failed
    action: str = ""  # what was done about the failure
    on_pool: str = ""  # the attempt whose warm pool it started on, as SageMaker reported
    retained_seconds: int = 0  # seconds that SageMaker billed for the warm pool that it left
    retained_reported_in: int = 0  # the first version of the job's record that has them
    recorded_in: int = 0  # the version of the job's record that first has its end
    choice: int = 0  # the number of the choice with which it ran
    spot: bool = False  # it ran on spot instances
    billable_seconds: int | None = None  # per instance, as SageMaker reported
    selected: Demand = NOTHING  # the instances that SageMaker selected from preferences
    saved: Save | None = None  # the last save that its program had reported
    model_artifacts: str = ""  # S3 URI of its model, and …
    metrics: Metrics = ()  # … its last metrics, if this attempt ended the job without a failure

    @property
    def trained_seconds(self) -> float:
        """Returns the seconds from the start of its training to its end; 0 if it never trained."""
        if self.training_started_at is None:
            return 0.0
        return max(0.0, (self.ended_at - self.training_started_at).total_seconds())

    @property
    def useful_seconds(self) -> float | None:
        """Returns the seconds of its training that no spot interruption cost; None if unknown."""
        return None if self.interrupted_seconds is None else max(0.0, self.trained_seconds - self.interrupted_seconds)


@dataclass(frozen=True, slots=True)
class EarlierAttempts:
    """Sums up the finished attempts that have moved from their job's record to separate table items."""

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


def attempt_name(job_name: str, mark: str, number: int, kind: WorkKind) -> str:
    """Returns the attempt's deterministic name: the job's name, the queue's mark and a number, as in `resnet-sq-3`."""
    # The job's name comes first, in full if it fits, because Debugger's stop action matches it as a prefix.
    suffix, form = f"-{mark}-{number}", FORMS[kind]
    if len(job_name) + len(suffix) <= form.longest_name:
        return job_name + suffix
    # A shortened name ends with a number and a digest of the job's name. A name that fits ends with the mark and a
    # number. The mark begins with a letter, so nobody can submit two jobs whose attempts have the same name.
    digest = f"-{sha256(job_name.encode()).hexdigest()[: form.digest_length]}"
    return job_name[: form.longest_name - len(suffix) - len(digest)].rstrip("-") + suffix + digest


def number_in(name: str, mark: str, kind: WorkKind) -> int | None:
    """Returns the attempt number in a name; None if it is not the name of an attempt of this kind in this queue."""
    match = re.fullmatch(rf".+-{mark}-([1-9][0-9]*)(-[0-9a-f]{{{FORMS[kind].digest_length}}})?", name)
    return int(match[1]) if match else None
