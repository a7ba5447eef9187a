"""What is live, as one cycle knows it: read once, then kept up by what the cycle itself writes.

Nobody else makes an attempt live, or ends one, while the lease is held. What others change of a live job or its attempt
requests another cycle, which reads it; and a write of this one to what they changed fails by its version.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from attrs import evolve

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore

#: Then all are read anew: somebody may have changed the table by hand.
CACHE_LIFETIME = timedelta(minutes=2)


class LiveJobCache:
    def __init__(self, store: JobStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self._since: datetime | None = None

    def live(self, *, consistent: bool = True) -> tuple[LiveJob, ...]:
        now = self._clock.now()
        if self._since is None or not now - CACHE_LIFETIME < self._since <= now:
            self.forget_all()
            self._since = now
        live = self._store.live(self._jobs, consistent=consistent)
        self._jobs = {live_job.job.name: live_job.job for live_job in live if live_job.job.is_readable}
        return live

    def replace(self, job: Job) -> None:
        """It was just written so."""
        self._jobs[job.name] = job

    def forget(self, names: Iterable[str]) -> None:
        for name in names:
            self._jobs.pop(name, None)

    def forget_all(self) -> None:
        self._jobs = {}


class LiveJobs:
    def __init__(self, store: JobStore, lease: Lease, live_job_cache: LiveJobCache) -> None:
        self._store = store
        self._cache = live_job_cache
        self._lease = lease
        self.was_reread = False
        self._known: dict[str, LiveJob] | None = None  # by attempt name

    def live(self) -> tuple[LiveJob, ...]:
        if self._known is None:
            self._known = {live_job.attempt.name: live_job for live_job in self._cache.live()}
        return tuple(live_job for _, live_job in sorted(self._known.items()))

    def update(self, job: Job, attempt: Attempt) -> LiveJob:
        """Write both, and keep what was written. Raises StaleJob and LeaseLost."""
        updated = LiveJob(self._store.update_attempt(job, attempt, self._lease), attempt)
        self.replace(updated)
        return updated

    def replace(self, live_job: LiveJob) -> None:
        """It was just written so."""
        self._cache.replace(live_job.job)
        if self._known is not None:
            self._known[live_job.attempt.name] = live_job

    def replace_job(self, job: Job) -> None:
        """It was just written so, and its attempt, if it has one, was not."""
        self._cache.forget([job.name])
        if self._known is not None:
            same = {
                name: evolve(live_job, job=job)
                for name, live_job in self._known.items()
                if live_job.job.name == job.name
            }
            self._known |= same

    def remove(self, attempt: Attempt) -> None:
        """It was just settled."""
        if self._known is not None:
            self._known.pop(attempt.name, None)

    def reread(self) -> None:
        """Somebody else has written: read anew."""
        self._cache.forget_all()
        self._known = None
        self.was_reread = True
