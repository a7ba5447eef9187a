"""Selects the warm pools that a plan can give to jobs, and how long a job's instances are kept for the next job."""

from collections import defaultdict
from collections.abc import Iterable

from scheduler.core.jobs.job import MAX_MAX_RUNTIME, Job
from scheduler.core.warm_pools.pool_rules import PoolRules
from scheduler.core.warm_pools.warm_pool import WarmPool

#: Seconds before a pool's end during which it is not offered: it may be gone when SageMaker receives the Create call.
_END_MARGIN = 30.0
#: The most seconds for which the same instances may pass from job to job (aws-facts 2.51).
_MAX_CHAIN = MAX_MAX_RUNTIME


def pools_by_key(pools: Iterable[WarmPool], now: float) -> dict[str, list[WarmPool]]:
    """Returns the pools on offer, grouped by the pool key of the jobs that fit them."""
    offers: dict[str, list[WarmPool]] = defaultdict(list)
    for pool in pools:
        stays = pool.kept_until is None or pool.kept_until.timestamp() - now > _END_MARGIN
        if pool.pool_key and not pool.lent_to and stays:
            offers[pool.pool_key].append(pool)
    return dict(offers)


def keep_alive(rules: PoolRules, job: Job, pool: WarmPool | None, now: float) -> int:
    """Returns how many seconds the job's instances are kept after it ends, if it starts on this pool or on none."""
    # With 0, SageMaker would not start the job on the pool: each job in a chain must ask to keep them (aws-facts 2.51).
    seconds = rules.keep_alive(job)
    chained_for = now - pool.instances_since.timestamp() if pool else 0.0
    return 0 if chained_for + job.spec.max_runtime + seconds > _MAX_CHAIN else seconds
