"""What people are told without asking."""

from enum import StrEnum

from attrs import frozen


class NoticeKind(StrEnum):
    PREEMPTED = "preempted"
    RESUMED = "resumed"
    IDLE = "idle"
    UNDERUSED = "underused"
    STOPPED = "stopped"  # by the queue or in SageMaker, not by a user's cancel
    RETRIED = "retried"
    FAILED = "failed"
    PARKED = "parked"
    RULE_VIOLATED = "rule_violated"
    SPENDING_LIMIT = "spending_limit"


@frozen
class Notice:
    kind: NoticeKind
    job: str  # empty: it is about no single job
    owner: str
    state: str
    reason: str  # a sentence
    remedy: str  # what to do
    team: str = ""  # empty: that of the owner
