"""Actions of users, operators and the queue on a job. The attempts of the job complete its history."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

#: A job's record keeps this many actions, the newest: an operator may move a job about for months.
MOST_ACTIONS = 50
#: A job may be parked again and again for many rules at once; its record must stay small (aws-facts 4.20).
LONGEST_MESSAGE = 500
#: The `by` of actions that the queue took by itself.
QUEUE = "queue"


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
