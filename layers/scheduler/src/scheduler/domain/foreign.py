"""Training jobs that went round the queue, and what the rules have against them."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.domain.violation import Violation


@dataclass(frozen=True, slots=True)
class ForeignJob:
    """An event or SageMaker's list told of it; it may still turn out to be ours, or over."""

    name: str
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    created_at: datetime  # as SageMaker says
    stopped: bool
    violations: tuple[Violation, ...]  # of all rules that are not off
