"""Defines the states of a job, the stops of its attempts, and the actions taken on it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scheduler.core.jobs.demand import NOTHING, Demand

#: The value of `by` for actions that the queue took on its own.
QUEUE = "queue"


class JobState(StrEnum):
    """Lists the states of a job. docs/contribute/records.md shows the transitions between them."""

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


#: States of jobs that wait to be launched. The table's sparse index contains exactly these jobs.
QUEUED = frozenset({JobState.PENDING, JobState.PREEMPTED})
#: States of jobs that hold budget through a live attempt.
LIVE = frozenset({JobState.LAUNCHING, JobState.RUNNING, JobState.STOPPING})
#: States of jobs that are out of the queue until a user or an operator acts.
HELD_OR_PARKED = frozenset({JobState.HELD, JobState.PARKED})
UNFINISHED = QUEUED | LIVE | HELD_OR_PARKED
#: States of jobs that have ended.
FINISHED = frozenset({JobState.COMPLETED, JobState.FAILED, JobState.STOPPED})


class ChoiceOrder(StrEnum):
    """Lists the orders in which the queue tries a job's choices."""

    GIVEN = "given"  # as its user lists them
    BEST = "best"  # by the expected cost, as far as finished attempts show it


class NotifyMoment(StrEnum):
    """Lists the events about which a job's owner may ask to be notified."""

    START = "start"
    END = "end"
    PREEMPTION = "preemption"


class StopCause(StrEnum):
    PREEMPTION = "preemption"
    CANCELLATION = "cancellation"
    SPOT = "spot"  # spot instances are not enough: the job continues on demand
    REQUEUE = "requeue"  # a user wants another attempt, or the job switches to another alternative
    IDLE = "idle"  # its GPUs were idle
    UNDERUSED = "underused"  # its GPUs were hardly used
    NAN_LOSS = "nan_loss"  # its loss was NaN
    HANG = "hang"  # its program hung
    HANG_RETRY = "hang_retry"  # its program hung for the first time: the job waits again
    GROWTH = "growth"  # an elastic job continues on more instances


@dataclass(frozen=True, slots=True)
class Stop:
    """Requests the end of the live attempt. A cancellation replaces any other stop, and no other stop replaces it."""

    cause: StopCause
    asked_at: datetime
    #: For a preemption, the name of the job that benefits, or empty if the budget was reduced or a spending limit is
    #: reached. Otherwise, the caller's ARN ("unknown" if the record of a cancellation was lost), QUEUE if the job
    #: switches to another alternative, "idle_alarm" for a watch, or empty if the job leaves spot instances
    #: or grows.
    asked_by: str
    save_first: bool = False  # for a cancellation: the user lets the program save first
    continues_on: Demand = NOTHING  # for an elastic job: the instances held for its next attempt


class ActionKind(StrEnum):
    CANCELLED = "cancelled"
    HELD = "held"
    RELEASED = "released"
    REQUEUED = "requeued"
    GREW = "grew"  # it was stopped to continue on more instances
    UPDATED = "updated"  # a user changed its options or its time limit
    TOPPED = "topped"
    APPROVED = "approved"  # an operator approved it
    UNPARKED = "unparked"  # a user submitted it again, or the budget has grown
    PARKED = "parked"
    PREEMPTED = "preempted"
    LEFT_SPOT = "left_spot"
    WARNED_IDLE = "warned_idle"  # the owner was warned that its GPUs are idle …
    WARNED_UNDERUSED = "warned_underused"  # … or hardly used
    STOPPED_IDLE = "stopped_idle"
    STOPPED_UNDERUSED = "stopped_underused"
    WARNED_NAN_LOSS = "warned_nan_loss"  # the owner was warned that its loss is NaN
    STOPPED_NAN_LOSS = "stopped_nan_loss"
    WARNED_HUNG = "warned_hung"  # the owner was warned that its program hangs
    STOPPED_HUNG = "stopped_hung"
    EXPIRED = "expired"  # it had not started by the time that its user set
    WARNED_DEADLINE = "warned_deadline"  # the owner was warned that it will miss its deadline
    SPARED = "spared"  # a stop for idle GPUs or a hang was withdrawn: the program had restarted
    RETRIED = "retried"
    GIVEN_UP = "given_up"
    KEEP_ALIVE_DROPPED = "keep_alive_dropped"  # SageMaker refused a keep-alive period that the queue had added
    ADOPTED = "adopted"  # its attempt was missing from the records
    INTERRUPTED = "interrupted"  # SageMaker took its spot instances back, and continues the job on others


@dataclass(frozen=True, slots=True)
class Approval:
    """An operator's approval covers the job as approved: its instances cannot change, but its time limits can."""

    by: str  # the caller's ARN
    at: datetime
    limits: tuple[int, ...]  # the time limit of each of the job's choices, in seconds

    def covers(self, choice: int, max_runtime: int) -> bool:
        return choice < len(self.limits) and max_runtime <= self.limits[choice]


@dataclass(frozen=True, slots=True)
class Action:
    """Records an action on a job. `message` is the queue's own text, since SageMaker's text may quote the request."""

    at: datetime
    kind: ActionKind
    by: str  # the caller's ARN, or QUEUE
    message: str = ""
