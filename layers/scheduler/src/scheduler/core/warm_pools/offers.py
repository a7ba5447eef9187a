"""Which warm pools a plan can give to jobs."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import MAX_MAX_RUNTIME, Job
from scheduler.core.warm_pools.pool_rules import PoolRules

#: Seconds before its end in which a pool is offered to nobody: it may be gone when Create arrives.
_TOO_LATE = 30.0
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
