"""When a job that does not fit now will fit, and who may pass it until then (EASY backfill).

Both the moment and the passing job are held to the hard bound, MaxRuntimeInSeconds: whatever happens, a job that passes
cannot delay the reservation. Moments from the history of like jobs were tried and lost: they come earlier, so fewer may
pass, and wide jobs waited longer all the same (docs/scheduling.md).
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from math import inf
from typing import NamedTuple

from attrs import frozen

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.fair_share import Rank


class Ending(NamedTuple):
    """Instances that come back by a time (seconds since the epoch), or go, where the calendar takes them away."""

    at: float
    demand: Demand
    job_name: str


@frozen
class Claim:
    """The place that is kept for a job which does not fit now."""

    job: Job
    rank: Rank
    start: float
    spare: FreeCapacity  # what it leaves over at its start

    @property
    def starts_at(self) -> datetime | None:
        return None if self.start == inf else datetime.fromtimestamp(self.start, UTC)

    @property
    def ending(self) -> Ending:
        """When the job will have ended that claims this place."""
        return Ending(self.start + self.job.max_runtime, self.job.demand, self.job.name)

    def may_be_passed(self, demand: Demand, ends: float) -> bool:
        return ends <= self.start or self.spare.has(demand) or not demand.shares_a_type_with(self.job.demand)

    def note_launch(self, demand: Demand, ends: float) -> None:
        if ends > self.start:
            self.spare.take(demand)


def claim(
    job: Job, rank: Rank, room: FreeCapacity, endings: Iterable[Ending], is_allowed: Callable[[float], bool]
) -> Claim:
    """The moment from which the job fits for sure: whatever runs has ended by its bound, and the calendar allows it.

    `endings` come in the order of time.
    """
    room = room.copy()
    start = inf
    for ending in endings:
        if ending.at > start:
            break
        room.give(ending.demand)
        if start == inf and room.has(job.demand) and is_allowed(ending.at):
            start = ending.at  # what else ends at this moment is spare
    room.take(job.demand)
    return Claim(job, rank, start, room)
