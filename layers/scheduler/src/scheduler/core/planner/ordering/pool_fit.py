"""Which jobs come first in the queue because a warm pool fits them."""

from collections.abc import Callable, Container
from datetime import datetime

from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.fair_share import Rank
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.offers import offered

#: Seconds for which a job may have waited and still be passed over by an equal that a pool fits: so it loses no more.
PASSED_OVER_WITHIN = 600.0


def move_pool_matches_first(
    ordered: list[Job], snapshot: Snapshot, rank_of: Callable[[Job], Rank], now: datetime
) -> list[Job]:
    """The queue with the jobs that a pool fits before their equals, as many as there are pools.

    Nobody is passed over who has waited for PASSED_OVER_WITHIN, or was put on top.
    """
    left = {key: len(pools) for key, pools in offered(snapshot.pools, now.timestamp()).items()}
    if not left:
        return ordered
    result: list[Job] = []
    for job in ordered:
        place = len(result)
        if left.get(job.pool_key) and snapshot.pool_rules.keep_alive(job):
            left[job.pool_key] -= 1
            while place and rank_of(result[place - 1]) == rank_of(job) and _gives_way(result[place - 1], left, now):
                place -= 1
        result.insert(place, job)
    return result


def _gives_way(job: Job, offers: Container[str], now: datetime) -> bool:
    waiting_since = job.history[-1].ended_at if job.history else job.submitted_at
    has_just_come = (now - waiting_since).total_seconds() < PASSED_OVER_WITHIN
    return has_just_come and job.on_top_since is None and job.pool_key not in offers
