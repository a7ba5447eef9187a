"""What people wish of jobs that exist: cancel, hold, release, requeue, priority, top. The cycle carries it out."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from scheduler.domain.job import Job
from scheduler.errors import StaleJob, UnknownJob
from scheduler.policy import wishes
from scheduler.ports import Clock, JobStore
from scheduler.standings import Standing, Standings

_JOB_NAME = re.compile(r"[a-zA-Z0-9-]{1,63}")
#: A cycle writes a job a few times in its life; so many collisions in a row do not happen by chance.
TRIES = 10


@dataclass(frozen=True, slots=True)
class JobControl:
    """Each wish can be repeated without harm. All raise UnknownJob, and NotPossible with the truth about the job."""

    standings: Standings
    store: JobStore
    clock: Clock

    def cancel(self, name: str, caller: str) -> Standing:
        return self._fulfil(name, lambda job: wishes.cancelled(job, caller, self.clock.now()))

    def hold(self, name: str, caller: str) -> Standing:
        return self._fulfil(name, lambda job: wishes.held(job, caller, self.clock.now()))

    def release(self, name: str) -> Standing:
        return self._fulfil(name, lambda job: wishes.released(job, self.clock.now()))

    def requeue(self, name: str, caller: str) -> Standing:
        return self._fulfil(name, lambda job: wishes.requeued(job, caller, self.clock.now()))

    def prioritise(self, name: str, priority: int) -> Standing:
        return self._fulfil(name, lambda job: wishes.prioritised(job, priority, self.clock.now()))

    def top(self, name: str) -> Standing:
        return self._fulfil(name, lambda job: wishes.topped(job, self.clock.now()))

    def _fulfil(self, name: str, wish: Callable[[Job], Job]) -> Standing:
        for _ in range(TRIES):
            job = named(self.store, name)
            wished = wish(job)
            if wished is job:
                return self.standings.of(job)
            try:
                return self.standings.of(self.store.save(wished, by="api"))
            except StaleJob:
                continue  # a cycle wrote the job in between: look again
        raise StaleJob(name)


def named(store: JobStore, name: str) -> Job:
    """The job that somebody asks for, in whatever spelling. Raises UnknownJob."""
    if not _JOB_NAME.fullmatch(name):  # the table refuses keys of any length and kind
        raise UnknownJob(name)
    return store.get(name)
