"""What was done to a job, by people or by the queue. Its attempts tell the rest of its story."""

from datetime import datetime
from enum import StrEnum

from attrs import frozen

#: How much of it a job's record keeps, the newest: somebody may move a job about for months.
MOST_ACTIONS = 50
#: A job may be parked again and again for many rules at once; its record must stay small (aws-facts 4.20).
LONGEST_MESSAGE = 500
#: Who did what nobody asked for.
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
    WARNED_IDLE = "warned_idle"  # its owner was told that its GPUs are idle …
    WARNED_UNDERUSED = "warned_underused"  # … or hardly used
    STOPPED_IDLE = "stopped_idle"
    SPARED = "spared"  # it was not stopped after all: its program had started anew
    RETRIED = "retried"
    GIVEN_UP = "given_up"
    ADOPTED = "adopted"  # the records had lost its attempt


@frozen
class Action:
    """`message` is in our own words: SageMaker's may quote the request."""

    at: datetime
    kind: ActionKind
    by: str  # the caller's ARN, or the queue
    message: str = ""
