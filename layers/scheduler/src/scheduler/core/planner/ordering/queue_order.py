"""Sorts the queued jobs into the order in which a plan considers them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.core.jobs.job import Job, JobState, StopCause
from scheduler.core.planner.ordering.aging import aged_jobs
from scheduler.core.planner.ordering.fair_share import Ranks, order_fairly
from scheduler.core.planner.ordering.pool_fit import move_pool_matches_first
from scheduler.core.planner.ordering.priority_order import sort_by_priority
from scheduler.core.planner.plan import Waits
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.spending_status import SpendingStatus


@dataclass(frozen=True, slots=True)
class QueueOrder:
    jobs: Sequence[Job]
    beneficiaries: frozenset[str]  # names of the jobs for which other jobs were stopped
    aged_jobs: frozenset[str]  # names of the jobs that may use the starvation share
    ranks: Ranks
    held_by_spending: Waits  # jobs that a spending limit holds; they are not in `jobs`, so they delay no other job


def order_queue(snapshot: Snapshot, now: datetime) -> QueueOrder:
    """Returns the queued jobs in order.

    Jobs for which other jobs were stopped come first, so that no other job takes the freed instances. The aged jobs
    follow, up to the starvation share, then all other jobs.
    """
    beneficiaries = preemption_beneficiaries(snapshot)  # includes jobs that a spending limit holds now
    jobs = sort_by_priority(snapshot.queued, snapshot.policy.ordering, snapshot.runtime_stats)
    held = _held_by_spending(jobs, snapshot.spending_status)
    if held.jobs:
        names = {job.name for job in held.jobs}
        jobs = [job for job in jobs if job.name not in names]
        snapshot = replace(snapshot, queued=tuple(jobs))
    jobs, ranks = order_fairly(jobs, snapshot, now)
    jobs = move_pool_matches_first(jobs, snapshot, ranks.of, now)
    aged = [job for job in aged_jobs(snapshot, now) if job.name not in beneficiaries]
    aged_names = frozenset(job.name for job in aged)
    if not beneficiaries and not aged:
        return QueueOrder(jobs, beneficiaries, aged_names, ranks, held)
    first = [job for job in jobs if job.name in beneficiaries]
    rest = [job for job in jobs if job.name not in beneficiaries and job.name not in aged_names]
    return QueueOrder(first + aged + rest, beneficiaries, aged_names, ranks, held)


def preemption_beneficiaries(snapshot: Snapshot) -> frozenset[str]:
    """Returns the queued jobs for which other jobs were stopped, or are being stopped, since they began to wait."""
    stopping = {
        live.job.stop.asked_by
        for live in snapshot.live
        if live.job.stop is not None and live.job.stop.cause is StopCause.PREEMPTION
    }
    stopped = {
        job.history[-1].beneficiary: job.history[-1].ended_at
        for job in snapshot.queued
        if job.state is JobState.PREEMPTED and job.history
    }
    if not stopping and not stopped:
        return frozenset()
    return frozenset(
        job.name
        for job in snapshot.queued
        if job.name in stopping or (job.name in stopped and job.waits_since <= stopped[job.name])
    )


def _held_by_spending(jobs: Iterable[Job], spending_status: SpendingStatus) -> Waits:
    if not spending_status.limits:
        return Waits()
    held = [(job, reason) for job in jobs if (reason := spending_status.blocking_reason(job))]
    return Waits([job for job, _ in held], [reason for _, reason in held])
