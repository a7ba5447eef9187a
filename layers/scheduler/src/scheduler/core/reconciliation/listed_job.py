"""Defines the entries and pages of SageMaker's list of training jobs."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.core.jobs.attempt import TERMINAL_STATUSES


@dataclass(frozen=True, slots=True)
class ListedJob:
    """Describes a training job in SageMaker's list, whether or not the queue created it."""

    name: str
    status: str
    created_at: datetime
    modified_at: datetime
    keeps_instances: bool = False  # in a warm pool, after its end

    @property
    def holds_instances(self) -> bool:
        return self.status not in TERMINAL_STATUSES or self.keeps_instances


@dataclass(frozen=True, slots=True)
class ListPage:
    jobs: tuple[ListedJob, ...]
    next_token: str | None = None
