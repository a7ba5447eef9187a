"""Who is looked at before whom in one plan: the queue's order, with the exceptions that keep promises."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from attrs import evolve, frozen

from scheduler.core.jobs.job import Job, JobState, StopCause
from scheduler.core.planner.ordering.aging import aged_jobs
from scheduler.core.planner.ordering.fair_share import Ranks, share
from scheduler.core.planner.ordering.pool_fit import move_pool_matches_first
from scheduler.core.planner.ordering.priority_order import sort_by_priority
from scheduler.core.planner.plan import Waits
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.spending_status import SpendingStatus


@frozen
class QueueOrder:
    jobs: Sequence[Job]
    reserved_for: frozenset[str]  # names of those for which others were stopped
    aged_jobs: frozenset[str]  # names of those that may claim the starvation share
    ranks: Ranks
    held: Waits  # those that nothing may be spent on: in no turn, so that they hold up nobody


def in_turn(snapshot: Snapshot, now: datetime) -> QueueOrder:
    """The queued jobs, each in its turn.

    A job for which others were stopped comes first, so that nobody takes what they left; then the longest waiting
    ones, as far as the share goes; then the queue.
    """
    reserved_for = beneficiaries(snapshot)  # also of those that were stopped and are held now
    in_order = sort_by_priority(snapshot.queued, snapshot.policy.ordering, snapshot.history)
    held = _held(in_order, snapshot.used_up)
    if held.jobs:
        names = {job.name for job in held.jobs}
        in_order = [job for job in in_order if job.name not in names]
        snapshot = evolve(snapshot, queued=tuple(in_order))
    ordered, ranks = share(in_order, snapshot, now)
    ordered = move_pool_matches_first(ordered, snapshot, ranks.of, now)
    old = [job for job in aged_jobs(snapshot, now) if job.name not in reserved_for]
    old_names = frozenset(job.name for job in old)
    if not reserved_for and not old:
        return QueueOrder(ordered, reserved_for, old_names, ranks, held)
    first = [job for job in ordered if job.name in reserved_for]
    rest = [job for job in ordered if job.name not in reserved_for and job.name not in old_names]
    return QueueOrder(first + old + rest, reserved_for, old_names, ranks, held)


def beneficiaries(snapshot: Snapshot) -> frozenset[str]:
    """Queued jobs for which others were stopped, or are being stopped, since they began to wait."""
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


def _held(jobs: Iterable[Job], used_up: SpendingStatus) -> Waits:
    if not used_up.limits:
        return Waits()
    found = [(job, reason) for job in jobs if (reason := used_up.against(job))]
    return Waits([job for job, _ in found], [reason for _, reason in found])
