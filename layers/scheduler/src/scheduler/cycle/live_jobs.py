"""Holds the live jobs and attempts of one cycle, and the cache that saves later cycles from reading unchanged jobs.

`LiveJobs` holds one cycle's view: it reads the live jobs once, then applies the cycle's own writes. Only the holder of
the lease starts or ends attempts. When a user or another function changes a live job or its attempt, that write
requests another cycle, which reads the change. If this cycle writes the changed job, the write fails: the version
differs.

`LiveJobCache` keeps the live jobs as this process last read them, so that a cycle reads only jobs that changed. Along
with each attempt, a cycle records the job version that it wrote. The table's stream names the jobs that users change.
Another process may miss such a change until its next sweep, or for up to CACHE_LIFETIME. That is harmless: each write
of a job is conditional on its version, and after a failed write all jobs are read again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import LiveAttempts, Reservations

#: All jobs are read again after this time, because an operator may have edited the table by hand.
CACHE_LIFETIME = timedelta(minutes=2)


@dataclass(slots=True)
class LiveJobCache:
    live_attempts: LiveAttempts
    clock: Clock
    _jobs: dict[str, Job] = field(default_factory=dict, init=False)
    _since: datetime | None = field(default=None, init=False)

    def live(self, *, consistent: bool = True) -> tuple[LiveJob, ...]:
        now = self.clock.now()
        if self._since is None or not now - CACHE_LIFETIME < self._since <= now:
            self.forget_all()
            self._since = now
        live = self.live_attempts.live(self._jobs, consistent=consistent)
        self._jobs = {live_job.job.name: live_job.job for live_job in live if live_job.job.is_readable}
        return live

    def replace(self, job: Job) -> None:
        """Stores the job that the cycle just wrote."""
        self._jobs[job.name] = job

    def forget(self, names: Iterable[str]) -> None:
        for name in names:
            self._jobs.pop(name, None)

    def forget_all(self) -> None:
        self._jobs = {}


@dataclass(slots=True)
class LiveJobs:
    reservations: Reservations
    lease: Lease
    cache: LiveJobCache
    ended: set[str] = field(default_factory=set, init=False)  # names of jobs and arrays that ended in this cycle
    changed_children: dict[str, set[int]] = field(default_factory=dict, init=False)  # started or ended ones, by array
    #: Whether the cycle confirmed, stopped or ended an attempt. A launch that it undid does not count.
    has_written: bool = field(default=False, init=False)
    _known: dict[str, LiveJob] | None = field(default=None, init=False)  # by attempt name
    _was_invalidated: bool = field(default=False, init=False)
    _was_reported: bool = field(default=False, init=False)

    def live(self) -> tuple[LiveJob, ...]:
        if self._known is None:
            self._known = {live_job.attempt.name: live_job for live_job in self.cache.live()}
        return tuple(live_job for _, live_job in sorted(self._known.items()))

    def update(self, job: Job, attempt: Attempt) -> LiveJob:
        """Writes the job and its attempt to the table, then stores them here. Raises StaleJob and LeaseLost."""
        updated = LiveJob(self.reservations.update_attempt(job, attempt, self.lease), attempt)
        self.has_written = True
        self.replace(updated)
        return updated

    def replace(self, live_job: LiveJob) -> None:
        """Stores the job and the attempt that the cycle just wrote."""
        self.cache.replace(live_job.job)
        self._note_child(live_job.job)
        if self._known is not None:
            self._known[live_job.attempt.name] = live_job

    def replace_job(self, job: Job) -> None:
        """Stores a job that the cycle just wrote without its attempt. The attempt of a live job does not change."""
        self.cache.forget([job.name])
        if self._known is not None:
            same = {
                name: replace(live_job, job=job)
                for name, live_job in self._known.items()
                if live_job.job.name == job.name
            }
            self._known |= same

    def remove(self, job: Job, attempt: Attempt) -> None:
        """Removes an attempt that was just settled. `job` is the job as it is afterwards."""
        # A job whose launch was undone has fewer attempts: the number is free again.
        self.has_written |= job.status.attempts >= attempt.number
        self._note_child(job)
        if job.is_finished:
            self.ended.add(job.name)
        if self._known is not None:
            self._known.pop(attempt.name, None)

    def invalidate(self) -> None:
        """Discards all jobs, so that the next use reads them again: a user or another function has changed one."""
        self.cache.forget_all()
        self._known = None
        self._was_invalidated = True

    def _note_child(self, job: Job) -> None:
        if job.place:
            self.changed_children.setdefault(job.place.array, set()).add(job.place.index)

    def found_first_stale_job(self) -> bool:
        """Returns True once in a cycle, after its first write to a job that another writer had changed.

        The cycle then plans again, because no event may request another cycle.
        """
        is_first = self._was_invalidated and not self._was_reported
        self._was_reported = self._was_invalidated
        return is_first
