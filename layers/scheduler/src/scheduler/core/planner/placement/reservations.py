"""Defines the reservation of a waiting job, which jobs behind it may pass only if they cannot delay it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf

from scheduler.core.jobs.job import Job
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.fair_share import Rank

#: Rank, then number of instances. Among jobs that could preempt the same running jobs, the highest gets them.
Precedence = tuple[Rank, int]


@dataclass(frozen=True, slots=True)
class Claim:
    """Names the running jobs that a waiting job may preempt, but not yet."""

    precedence: Precedence
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class BackfillReservation:
    job: Job
    rank: Rank
    start: float  # seconds since the epoch; inf: at no known time
    spare: FreeCapacity  # the instances that remain free when the job starts
    claim: Claim | None = None
    team: str | None = None  # set if the job waits for its team's ceiling: jobs of other teams are not behind it

    @property
    def starts_at(self) -> datetime | None:
        return None if self.start == inf else datetime.fromtimestamp(self.start, UTC)

    def may_be_passed(self, job: Job, ends: float) -> bool:
        return ends <= self.start or self.spare.fits(job)

    def shares_a_type_with(self, job: Job) -> bool:
        return job.spec.demand.shares_a_type_with(self.job.spec.demand)
