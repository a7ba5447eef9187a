"""Copies the queue by reading it once, and carries out plans on the copy. Writes nothing to the table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.core.configuration.configuration import Configuration
from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import HELD_OR_PARKED, QUEUED
from scheduler.core.planner.ordering.candidate_selection import CandidateSelection
from scheduler.core.planner.ordering.queue_order import sort_by_priority
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.plan_effects import confirmed, evicted, grown, launched, preempted
from scheduler.core.planner.policy import Policy
from scheduler.core.warm_pools.warm_pool import lend
from scheduler.observe.queue_reading import QueueReading
from scheduler.observe.snapshot_reader import SnapshotReader

#: The most jobs to read in addition to live ones: as many as fit on one page of a list.
MOST_WAITING = 2000


@dataclass(frozen=True, slots=True)
class QueueCopy:
    reading: QueueReading  # `queued` has all waiting jobs, not only a plan's candidates
    out_of_queue: tuple[Job, ...]  # the jobs on hold and the parked jobs
    is_complete: bool  # whether every unfinished job was read

    @property
    def jobs(self) -> list[Job]:
        return [*self.reading.jobs, *self.out_of_queue]


def read_queue(reader: SnapshotReader, configurations: Sequence[Configuration]) -> QueueCopy:
    """Reads the queue once, for snapshots with any of these configurations."""
    live = reader.live_attempts.live()
    page = reader.index.page(JobFilter(QUEUED | HELD_OR_PARKED), MOST_WAITING, None, reader.clock.now())
    names = {live_job.job.name for live_job in live}
    queued = tuple(job for job in page.jobs if job.is_queued and job.is_readable and job.name not in names)
    reading = reader.read(configurations, reader.controls.read(), live, queued)
    out_of_queue = tuple(job for job in page.jobs if not job.is_queued and job.name not in names)
    return QueueCopy(reading, out_of_queue, is_complete=page.next_token is None)


def candidates(reading: QueueReading, budget: Budget) -> QueueReading:
    """Returns the reading with only a plan's candidates, selected as `JobIndex.candidates` does."""
    selection = CandidateSelection(budget.limit)
    for job in sort_by_priority(reading.queued, Policy(), RuntimeStats()):
        selection.offer(job)
    return replace(reading, queued=tuple(selection.jobs))


def carried_out(reading: QueueReading, plan: Plan, name_mark: str, now: datetime) -> QueueReading:
    """Returns the queue after a pass in which SageMaker creates and stops all attempts immediately."""
    started = [confirmed(launched(entry, name_mark, now), now) for entry in plan.launches]
    stopped = [preempted(entry, now) for entry in plan.preemptions] + [evicted(entry, now) for entry in plan.evictions]
    stopped += [grown(entry, now) for entry in plan.growths]
    stopping = {
        live_job.job.name: replace(live_job, attempt=replace(live_job.attempt, stop_sent=True)) for live_job in stopped
    }
    live = [stopping.get(live_job.job.name, live_job) for live_job in reading.live]
    gone = {*(live_job.job.name for live_job in started), *(entry.job.name for entry in plan.parks)}
    lent = {
        entry.pool.name: lend(entry.pool, live_job.attempt.name)
        for entry, live_job in zip(plan.launches, started, strict=True)
        if entry.pool
    }
    released = {pool.name for pool in plan.releases}
    return replace(
        reading,
        live=tuple(sorted([*live, *started], key=lambda live_job: live_job.attempt.name)),
        queued=tuple(job for job in reading.queued if job.name not in gone),
        pools=tuple(lent.get(pool.name, pool) for pool in reading.pools if pool.name not in released),
    )
