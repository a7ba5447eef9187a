"""Defines the training jobs that were started outside the queue, and findings about the rules that they break."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scheduler.errors.refusals import Violation


class GuardMode(StrEnum):
    """Selects the queue's response to unmanaged jobs that break a rule."""

    OFF = "off"  # it does not check them
    WARN = "warn"  # it records a finding and sends a notice
    STOP = "stop"  # it also stops jobs that break an enforced rule


@dataclass(frozen=True, slots=True)
class UnmanagedJob:
    """Records a training job that an event or the list reported. It may turn out to be the queue's or to have ended."""

    name: str
    seen_at: datetime
    tried_at: datetime | None = None  # the last check that could not decide


@dataclass(frozen=True, slots=True)
class Finding:
    """Records a training job outside the queue that breaks rules."""

    name: str
    created_at: datetime  # as SageMaker reports
    stopped: bool
    violations: tuple[Violation, ...]  # of all rules that are not off
