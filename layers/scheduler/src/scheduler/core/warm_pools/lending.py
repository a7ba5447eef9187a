"""How a warm pool's share of the budget goes over to the attempt that is to take it over, and back.

SageMaker tells only afterwards whether it started an attempt on a pool. Until then the attempt holds the budget for
both, and the pool nothing: together they hold what the pool did.
"""

from attrs import evolve

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import NOTHING


def lent(pool: Attempt, taker: str) -> Attempt:
    return evolve(pool, demand=NOTHING, lent=pool.demand, lent_to=taker)


def given_back(pool: Attempt) -> Attempt:
    """It holds its share of the budget itself again."""
    return evolve(pool, demand=pool.lent, lent=NOTHING, lent_to="")


def in_place_of(pool: Attempt, gone: Attempt) -> Attempt:
    """The pool that is left where SageMaker started its taker on another one, just like it: what that one was."""
    return evolve(pool, demand=gone.demand, lent=gone.lent, lent_to=gone.lent_to)
