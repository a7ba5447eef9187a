"""What is live, as one cycle knows it: read once, then kept up by what the cycle itself writes.

Nobody else makes an attempt live, or ends one, while the lease is held. What others change of a live job or its attempt
knocks, so another cycle follows that reads it; and a write of this one to what they changed fails by its version.
"""

from attrs import evolve

from scheduler.domain.attempt import Attempt
from scheduler.domain.job import Job
from scheduler.domain.lease import Lease
from scheduler.domain.snapshot import LiveJob
from scheduler.live_memory import LiveMemory
from scheduler.ports.job_store import JobStore


class LiveBook:
    def __init__(self, store: JobStore, lease: Lease, memory: LiveMemory) -> None:
        self._store = store
        self._memory = memory
        self._lease = lease
        self.was_forgotten = False
        self._known: dict[str, LiveJob] | None = None  # by attempt name

    def live(self) -> tuple[LiveJob, ...]:
        if self._known is None:
            self._known = {one.attempt.name: one for one in self._memory.live()}
        return tuple(one for _, one in sorted(self._known.items()))

    def update(self, job: Job, attempt: Attempt) -> LiveJob:
        """Write both, and keep what was written. Raises StaleJob and LeaseLost."""
        updated = LiveJob(self._store.update_attempt(job, attempt, self._lease), attempt)
        self.keep(updated)
        return updated

    def keep(self, one: LiveJob) -> None:
        """It was just written so."""
        self._memory.keep(one.job)
        if self._known is not None:
            self._known[one.attempt.name] = one

    def note(self, job: Job) -> None:
        """It was just written so, and its attempt, if it has one, was not."""
        self._memory.forget([job.name])
        if self._known is not None:
            same = {name: evolve(one, job=job) for name, one in self._known.items() if one.job.name == job.name}
            self._known |= same

    def strike(self, attempt: Attempt) -> None:
        """It was just settled."""
        if self._known is not None:
            self._known.pop(attempt.name, None)

    def forget(self) -> None:
        """Somebody else has written: read anew."""
        self._memory.forget_all()
        self._known = None
        self.was_forgotten = True
