"""A warm pool: instances that SageMaker keeps after an attempt, and the part of the budget that they hold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.reconciliation.polling import sample

#: The most pools that one sweep polls. Each holds budget that may be needed, and no event reports its changes.
POOLS_PER_SWEEP = 10


@dataclass(frozen=True, slots=True)
class PoolObservation:
    """SageMaker's report about a warm pool."""

    is_held: bool  # the account still holds its instances
    reused_by: str = ""  # the training job that took it over
    retained_seconds: int = 0  # billed while unused, for each of its instances


GONE = PoolObservation(is_held=False)


@dataclass(frozen=True, slots=True)
class WarmPool:
    """A warm pool. While its record exists, its instances count against the budget."""

    name: str  # the name of the attempt that left it
    job_name: str
    demand: Demand
    instances_since: datetime  # when its instances were started, by the first job of their chain
    ended_at: datetime | None = None  # the end of its attempt, as SageMaker reported
    keep_alive: int | None = None  # seconds for which its instances are kept; None: as in the attempt's request
    pool_key: str = ""
    subnet: str = ""  # the subnet chosen for the attempt; empty: all its job's subnets
    lent_to: str = ""  # the attempt that is expected to take it over …
    lent: Demand = NOTHING  # … and that holds this demand for the pool in the meantime
    is_readable: bool = True  # otherwise it is a placeholder for an unreadable record

    @classmethod
    def left_by(cls, attempt: Attempt) -> "WarmPool":
        return cls(
            attempt.name,
            attempt.job_name,
            attempt.demand,
            instances_since=attempt.chain_since or attempt.reserved_at,
            ended_at=attempt.observation.ended_at if attempt.observation else None,
            keep_alive=attempt.keep_alive,
            pool_key=attempt.pool_key,
            subnet=attempt.subnet,
        )

    @property
    def instances(self) -> Demand:
        """Returns the instances that SageMaker keeps, whether the pool or an attempt holds budget for them."""
        return self.lent if self.lent_to else self.demand

    @property
    def kept_until(self) -> datetime | None:
        """Returns the time at which the pool ends by itself; None if it is unknown."""
        return self.ended_at + timedelta(seconds=self.keep_alive) if self.ended_at and self.keep_alive else None


# A pool can be lent to the attempt that is expected to take it over. SageMaker shows only afterwards whether the
# attempt started on the pool. Until then, the attempt holds the budget for both, and the pool holds none. Together they
# hold as much as the pool did.
def lend(pool: WarmPool, taker: str) -> WarmPool:
    return replace(pool, demand=NOTHING, lent=pool.demand, lent_to=taker)


def end_loan(pool: WarmPool) -> WarmPool:
    """Returns the pool after its loan has ended, when it holds its own budget again."""
    return replace(pool, demand=pool.lent, lent=NOTHING, lent_to="")


def swap_pools(pool: WarmPool, gone: WarmPool) -> WarmPool:
    """Returns the remaining pool instead of the pool that is gone: SageMaker may start an attempt on either pool."""
    return replace(pool, demand=gone.demand, lent=gone.lent, lent_to=gone.lent_to)


def pools_to_poll(pools: Sequence[WarmPool], seed: int) -> list[WarmPool]:
    return sample([pool for pool in pools if pool.is_readable], POOLS_PER_SWEEP, seed)
