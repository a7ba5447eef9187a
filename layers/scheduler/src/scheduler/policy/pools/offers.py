"""Which warm pools a plan can give to jobs, and who comes first because a pool fits it."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable
from datetime import datetime

from scheduler.domain.attempt import Attempt
from scheduler.domain.job import Job
from scheduler.domain.pool_rules import PoolRules
from scheduler.domain.snapshot import Snapshot
from scheduler.policy.request_reading import MAX_MAX_RUNTIME
from scheduler.policy.sharing import Rank

#: Seconds before its end in which a pool is offered to nobody: it may be gone when Create arrives.
_TOO_LATE = 30.0
#: Seconds for which a job may have waited and still be passed over by an equal that a pool fits: so it loses no more.
PASSED_OVER_WITHIN = 600.0
#: The longest time for which the same instances may go from job to job (aws-facts 2.50).
_LONGEST_CHAIN = MAX_MAX_RUNTIME


def offered(pools: Iterable[Attempt], now: float) -> dict[str, list[Attempt]]:
    """By the key of the jobs that fit."""
    offers: dict[str, list[Attempt]] = defaultdict(list)
    for pool in pools:
        if (
            pool.pool_key
            and not pool.lent_to
            and (pool.kept_until is None or pool.kept_until.timestamp() - now > _TOO_LATE)
        ):
            offers[pool.pool_key].append(pool)
    return dict(offers)


def keep_alive(rules: PoolRules, job: Job, pool: Attempt | None, now: float) -> int:
    """For how many seconds its instances are kept after it, if it starts on the pool, or on instances of its own.

    0 on a pool means that SageMaker would not start it there: each job of a chain has to keep them (aws-facts 2.50).
    """
    seconds = rules.keep_alive(job)
    chained_for = now - started_at(pool).timestamp() if pool else 0.0
    return 0 if chained_for + job.max_runtime + seconds > _LONGEST_CHAIN else seconds


def started_at(pool: Attempt) -> datetime:
    """When its instances were started."""
    return pool.chain_since or pool.reserved_at


def fitting_first(ordered: list[Job], snapshot: Snapshot, rank_of: Callable[[Job], Rank], now: datetime) -> list[Job]:
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
