"""The live jobs as this process saw them last, so that a cycle reads only those that have changed since.

What a cycle writes of a live job, it notes beside its attempt, by the record's version. What people change of one, the
table's stream tells of; in another process that may go unseen until its next sweep, or for as long as anything is
remembered. That is harmless: each write of a job is conditional on its version, and after a refused one all is read
anew.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from scheduler.domain.job import Job
from scheduler.domain.snapshot import LiveJob
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore

#: Then all are read anew: somebody may have changed the table by hand.
REMEMBERED = timedelta(minutes=2)


class LiveMemory:
    def __init__(self, store: JobStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self._since: datetime | None = None

    def live(self, *, lately: bool = False) -> tuple[LiveJob, ...]:
        now = self._clock.now()
        if self._since is None or not now - REMEMBERED < self._since <= now:
            self.forget_all()
            self._since = now
        live = self._store.live(self._jobs, lately=lately)
        self._jobs = {one.job.name: one.job for one in live if one.job.is_readable}
        return live

    def keep(self, job: Job) -> None:
        """It was just written so."""
        self._jobs[job.name] = job

    def forget(self, names: Iterable[str]) -> None:
        for name in names:
            self._jobs.pop(name, None)

    def forget_all(self) -> None:
        self._jobs = {}
