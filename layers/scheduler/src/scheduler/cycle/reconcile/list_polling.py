"""Polls many attempts with few calls of SageMaker's list, instead of one Describe for each attempt."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.listed_job import ListedJob
from scheduler.ports.training import TrainingService

#: A reservation is written before its training job is created, and the clock may be a little ahead of SageMaker's.
_SKEW = timedelta(minutes=1)
#: Events round their times.
_ROUNDING = timedelta(seconds=1)
#: Calls of List for one poll. Attempts further back in the list are polled one by one.
_PAGES = 2


@dataclass(frozen=True, slots=True)
class ListPolling:
    training: TrainingService
    mark: str
    running: set[str] = field(default_factory=set, init=False)  # names of the attempts that the list shows running

    def poll(self, attempts: Sequence[LiveJob]) -> None:
        """Adds to `running` the attempts that the list shows running. Raises the errors of List."""
        missing = {live_job.attempt.name: live_job for live_job in attempts}
        since, token = min(live_job.attempt.reserved_at for live_job in attempts) - _SKEW, None
        for _ in range(_PAGES):
            page = self.training.list_created_after(since, f"-{self.mark}-", token)
            for listed in page.jobs:
                if (live_job := missing.pop(listed.name, None)) and _runs_unchanged(listed, live_job):
                    self.running.add(listed.name)
            token = page.next_token
            if token is None or not missing:
                break


def _runs_unchanged(listed: ListedJob, live_job: LiveJob) -> bool:
    """Returns whether the listed attempt runs, and has not changed since its last observation.

    An older entry lags, and a newer one means that an event was lost. Both need a Describe.
    """
    known = live_job.attempt.observation
    if listed.status != "InProgress" or known is None:
        return False
    return abs(listed.modified_at - known.modified_at) <= _ROUNDING
