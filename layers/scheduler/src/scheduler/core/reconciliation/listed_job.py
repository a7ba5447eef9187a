"""What SageMaker's list says of training jobs."""

from datetime import datetime

from attrs import frozen

from scheduler.core.jobs.attempt import TERMINAL_STATUSES


@frozen
class ListedJob:
    """An entry of SageMaker's list of training jobs."""

    name: str
    status: str
    created_at: datetime
    modified_at: datetime
    keeps_instances: bool = False  # in a warm pool, beyond its end

    @property
    def holds_instances(self) -> bool:
        return self.status not in TERMINAL_STATUSES or self.keeps_instances


@frozen
class ListPage:
    listed: tuple[ListedJob, ...]
    next_token: str | None = None
