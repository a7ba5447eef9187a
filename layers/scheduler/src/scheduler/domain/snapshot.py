"""What a cycle sees: an immutable picture of the queue, read before anything is decided."""

from dataclasses import dataclass

from scheduler.domain.attempt import Attempt
from scheduler.domain.budget import Budget
from scheduler.domain.demand import Demand, total
from scheduler.domain.job import Job


@dataclass(frozen=True, slots=True)
class LiveJob:
    """A job together with the attempt that holds budget for it."""

    job: Job
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Snapshot:
    budget: Budget
    live: tuple[LiveJob, ...]
    queued: tuple[Job, ...]  # the first candidates in queue order; a bounded number

    @property
    def held(self) -> Demand:
        return total(live.attempt.demand for live in self.live)
