"""The kinds of what people are told; the parameter NotifyOn says which of them are sent."""

from enum import StrEnum


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
