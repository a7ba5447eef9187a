"""Moves jobs that a warm pool fits ahead of equal jobs in the queue."""

from collections.abc import Callable, Container
from datetime import datetime

from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.fair_share import Rank
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.offers import pools_by_key

#: Seconds. A job that has waited longer is not passed by an equal job that a pool fits, so it loses no more than this.
MAX_WAIT_TO_BE_PASSED = 600.0


def move_pool_matches_first(
    ordered: list[Job], snapshot: Snapshot, rank_of: Callable[[Job], Rank], now: datetime
) -> list[Job]:
    """Returns the queue with jobs that a pool fits ahead of equal jobs, as many as there are pools.

    A job is not passed if it has waited for MAX_WAIT_TO_BE_PASSED, or was moved to the top.
    """
    remaining = {key: len(pools) for key, pools in pools_by_key(snapshot.pools, now.timestamp()).items()}
    if not remaining:
        return ordered
    result: list[Job] = []
    for job in ordered:
        position = len(result)
        if remaining.get(job.pool_key) and snapshot.pool_rules.keep_alive(job):
            remaining[job.pool_key] -= 1
            while (
                position
                and rank_of(result[position - 1]) == rank_of(job)
                and _may_be_passed(result[position - 1], remaining, now)
            ):
                position -= 1
        result.insert(position, job)
    return result


def _may_be_passed(job: Job, pool_keys: Container[str], now: datetime) -> bool:
    waiting_since = job.history[-1].ended_at if job.history else job.submitted_at
    is_recent = (now - waiting_since).total_seconds() < MAX_WAIT_TO_BE_PASSED
    return is_recent and job.on_top_since is None and job.pool_key not in pool_keys
