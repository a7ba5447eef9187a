"""Training jobs that went round the queue, and what the rules have against them."""

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from scheduler.errors.violation import Violation


class GuardMode(StrEnum):
    OFF = "off"  # nobody looks at them
    WARN = "warn"  # it is recorded and told
    STOP = "stop"  # what enforced rules are against is stopped, too


@frozen
class UnmanagedJob:
    """An event or SageMaker's list told of it; it may still turn out to be ours, or over."""

    name: str
    seen_at: datetime


@frozen
class Finding:
    name: str
    created_at: datetime  # as SageMaker says
    stopped: bool
    violations: tuple[Violation, ...]  # of all rules that are not off
