"""Lends a warm pool's share of the budget to the attempt that is expected to take the pool over, and returns it.

SageMaker shows only afterwards whether it started an attempt on a pool. Until then the attempt holds the budget for
both and the pool holds none. Together they hold as much as the pool did.
"""

from dataclasses import replace

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import NOTHING


def lend(pool: Attempt, taker: str) -> Attempt:
    return replace(pool, demand=NOTHING, lent=pool.demand, lent_to=taker)


def end_loan(pool: Attempt) -> Attempt:
    """Returns the pool holding its share of the budget itself again."""
    return replace(pool, demand=pool.lent, lent=NOTHING, lent_to="")


def swap_pools(pool: Attempt, gone: Attempt) -> Attempt:
    """Returns the remaining pool in the role of the one that is gone.

    SageMaker may start an attempt on another pool like the one that was lent to it.
    """
    return replace(pool, demand=gone.demand, lent=gone.lent, lent_to=gone.lent_to)
