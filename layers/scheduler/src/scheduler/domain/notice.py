"""What the owner of a job is told without asking."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Notice:
    kind: NoticeKind
    job: str
    owner: str
    state: str
    reason: str  # a sentence
    remedy: str  # what to do
