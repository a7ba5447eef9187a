"""Keeps the history: one change for each version of a job that the table's stream delivers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.core.history.change import Change
from scheduler.core.history.change_records import change_of
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import Team
from scheduler.ports.change_store import ChangeStore


@dataclass(frozen=True, slots=True)
class ChangeLog:
    store: ChangeStore
    teams: Sequence[Team]
    retention: timedelta

    def change(self, job: Job, written_by: str, recorded_at: datetime) -> Change:
        return change_of(job, written_by, recorded_at, self.teams)

    def append(self, change: Change) -> bool:
        """Adds the change. Returns False for a version that is already there."""
        return self.store.append(change, change.recorded_at + self.retention)
