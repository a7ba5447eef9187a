"""Computes when a job that does not fit now will fit, and which jobs may pass it until then (EASY backfill).

Both the start of the reservation and the end of a passing job use the hard bound, MaxRuntimeInSeconds. So a passing
job can never delay the reservation. Starts from the run times of similar jobs were tried and rejected: they are
earlier, so fewer jobs may pass, and wide jobs still waited longer (docs/scheduling.md).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from typing import NamedTuple

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.fair_share import Rank


class CapacityChange(NamedTuple):
    """Instances that become free at a time (seconds since the epoch), or that the calendar takes away then."""

    at: float
    demand: Demand
    job_name: str  # the job that ends; empty for a change of the calendar


@dataclass(frozen=True, slots=True)
class BackfillReservation:
    """Reserves a start for a job that does not fit now."""

    job: Job
    rank: Rank
    start: float
    spare: FreeCapacity  # what the job leaves free at its start

    @property
    def starts_at(self) -> datetime | None:
        return None if self.start == inf else datetime.fromtimestamp(self.start, UTC)

    def may_be_passed(self, demand: Demand, ends: float) -> bool:
        return ends <= self.start or self.spare.has(demand) or not demand.shares_a_type_with(self.job.demand)


def reserve_start(
    job: Job, rank: Rank, free: FreeCapacity, changes: Iterable[CapacityChange], is_allowed: Callable[[float], bool]
) -> BackfillReservation:
    """Reserves the first time at which the job certainly fits and the calendar allows it.

    By then, enough running jobs have reached their time limits. `changes` are in the order of time.
    """
    free = free.copy()
    start = inf
    for change in changes:
        if change.at > start:
            break
        free.give(change.demand)
        if start == inf and free.has(job.demand) and is_allowed(change.at):
            start = change.at  # other instances that become free at this time are spare
    free.take(job.demand)
    return BackfillReservation(job, rank, start, free)
