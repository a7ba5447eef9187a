"""Sorts the queued jobs into the order in which a plan considers them."""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter

from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState, StopCause
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.ordering.aging import aged_jobs
from scheduler.core.planner.ordering.continuing_jobs import move_continuing_first
from scheduler.core.planner.ordering.fair_share import Rank, Ranks, order_fairly
from scheduler.core.planner.plan import Waits
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.offers import pools_by_key

#: Seconds. A job that has waited longer than this is no longer passed by equal jobs that fit a warm pool, so it loses
#: no more time.
MAX_WAIT_TO_BE_PASSED = 600.0


@dataclass(frozen=True, slots=True)
class QueueOrder:
    jobs: Sequence[Job]
    beneficiaries: frozenset[str]  # names of the jobs for which other jobs were stopped
    aged_jobs: frozenset[str]  # names of the jobs that may use the starvation share
    ranks: Ranks
    held_by_spending: Waits  # jobs that a spending limit holds; they are not in `jobs`, so they delay no other job


def order_queue(snapshot: Snapshot, now: datetime) -> QueueOrder:
    """Returns the queued jobs in the order in which a plan considers them.

    Jobs for which other jobs were stopped come first, so that no other job takes the freed instances. The aged jobs
    follow, up to the starvation share, and then all other jobs.
    """
    beneficiaries = preemption_beneficiaries(snapshot)  # includes jobs that a spending limit currently holds
    jobs = sort_by_priority(snapshot.queued, snapshot.policy, snapshot.runtime_stats)
    held = Waits()
    if snapshot.spending_status.limits:
        reasons = {job.name: reason for job in jobs if (reason := snapshot.spending_status.blocking_reason(job))}
        held = Waits([job for job in jobs if job.name in reasons], list(reasons.values()))
        jobs = [job for job in jobs if job.name not in reasons]
        snapshot = replace(snapshot, queued=tuple(jobs))
    jobs, ranks = order_fairly(jobs, snapshot, now)
    jobs = move_pool_matches_first(jobs, snapshot, ranks.of, now)
    jobs = move_continuing_first(jobs, ranks.of)
    aged = [job for job in aged_jobs(snapshot, now) if job.name not in beneficiaries]
    aged_names = frozenset(job.name for job in aged)
    if not beneficiaries and not aged:
        return QueueOrder(jobs, beneficiaries, aged_names, ranks, held)
    first = [job for job in jobs if job.name in beneficiaries]
    rest = [job for job in jobs if job.name not in beneficiaries and job.name not in aged_names]
    return QueueOrder(first + aged + rest, beneficiaries, aged_names, ranks, held)


def preemption_beneficiaries(snapshot: Snapshot) -> frozenset[str]:
    """Returns the names of queued jobs for which other jobs are being stopped, or were stopped during their wait."""
    stopping = {
        live.job.status.stop.asked_by
        for live in snapshot.live
        if live.job.status.stop is not None and live.job.status.stop.cause is StopCause.PREEMPTION
    }
    stopped = {
        job.status.history[-1].beneficiary: job.status.history[-1].ended_at
        for job in snapshot.queued
        if job.status.state is JobState.PREEMPTED and job.status.history
    }
    if not stopping and not stopped:
        return frozenset()
    return frozenset(
        job.name
        for job in snapshot.queued
        if job.name in stopping or (job.name in stopped and job.waits_since <= stopped[job.name])
    )


def sort_by_priority(jobs: Iterable[Job], policy: Policy, runtime_stats: RuntimeStats) -> list[Job]:
    """Sorts the jobs by priority, then by moves to the top, then by their teams' orderings, and last by name.

    Between teams with different orderings, the order of jobs means nothing: fair shares decide between teams.

    Each sort is stable, so the last sort takes precedence. A single sort by tuples would create a tuple for each job
    and trigger the garbage collector, which takes longer than these sorts.
    """
    ordered = sorted(jobs, key=attrgetter("name"))
    ordered.sort(key=attrgetter("submitted_at"))
    if Ordering.SHORTEST in {policy.ordering, *(team.settings.ordering for team in policy.teams)}:
        expected, shortest = runtime_stats.expected_run_time, Ordering.SHORTEST
        ordered.sort(key=lambda job: expected(job) if policy.of(job).ordering is shortest else 0.0)
    # Among the jobs moved to the top, the one moved last comes first.
    ordered.sort(key=lambda job: -job.status.on_top_since.timestamp() if job.status.on_top_since else 0.0)
    ordered.sort(key=attrgetter("options.priority"), reverse=True)
    return ordered


def move_pool_matches_first(
    ordered: list[Job], snapshot: Snapshot, rank_of: Callable[[Job], Rank], now: datetime
) -> list[Job]:
    """Moves jobs that fit a warm pool ahead of jobs of equal rank, at most one job for each pool.

    They do not pass a job that has waited for MAX_WAIT_TO_BE_PASSED, was moved to the top, or fits a pool itself.
    """
    remaining = {key: len(pools) for key, pools in pools_by_key(snapshot.pools, now.timestamp()).items()}
    if not remaining:
        return ordered
    result: list[Job] = []
    for job in ordered:
        position = len(result)
        if remaining.get(job.spec.pool_key) and snapshot.pool_rules.keep_alive(job):
            remaining[job.spec.pool_key] -= 1
            while (
                position
                and rank_of(result[position - 1]) == rank_of(job)
                and _may_be_passed(result[position - 1], remaining, now)
            ):
                position -= 1
        result.insert(position, job)
    return result


def _may_be_passed(job: Job, pool_keys: Container[str], now: datetime) -> bool:
    is_recent = (now - job.waits_since).total_seconds() < MAX_WAIT_TO_BE_PASSED
    return is_recent and job.status.on_top_since is None and job.spec.pool_key not in pool_keys
