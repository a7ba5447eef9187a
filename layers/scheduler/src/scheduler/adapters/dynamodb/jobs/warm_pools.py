"""Warm pools in the table.

A pool holds its demand until it is lent. Then, the attempt that should take over the pool holds the demand instead, so
lending leaves the ledger's counts the same.
"""

from dataclasses import dataclass

from scheduler.adapters.dynamodb.jobs.learned import learned_writes
from scheduler.adapters.dynamodb.lease import ledger
from scheduler.adapters.dynamodb.records.job_records import (
    POOLS_PARTITION,
    attempt_key,
    pool_item,
    pool_key,
    readable_pool,
)
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, PRESENT, Write, delete, put, set_attributes
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.warm_pools.warm_pool import WarmPool, end_loan, swap_pools
from scheduler.errors.internal import StaleJob
from scheduler.ports.job_store import NOTHING_LEARNED, SCHEDULE


@dataclass(frozen=True, slots=True)
class DynamoDBWarmPoolStore:
    table: Table

    def pools(self) -> tuple[WarmPool, ...]:
        return tuple(readable_pool(item) for item in self.table.partition(POOLS_PARTITION))

    def remove_pool(
        self,
        pool: WarmPool,
        lease: Lease,
        taker: Attempt | None = None,
        lent_to_taker: WarmPool | None = None,
        learned: Learned = NOTHING_LEARNED,
    ) -> None:
        released = NOTHING if lent_to_taker else pool.demand
        writes = [ledger.change(NOTHING - released, lease), _removal(pool)]
        if taker:
            started_on, key = {"started_on": pool.name, "changed_by": SCHEDULE}, attempt_key(taker.name)
            writes.append(set_attributes(key, started_on, PRESENT, refusal=StaleJob(taker.name)))
        if lent_to_taker:
            writes.append(rewrite_pool(swap_pools(lent_to_taker, pool), lent_before=lent_to_taker.lent_to))
        self.table.transact(*writes, *learned_writes(learned, lease.expires_at))

    def end_pool_loan(self, pool: WarmPool, lease: Lease) -> None:
        held_again = ledger.change(pool.lent, lease)
        self.table.transact(held_again, rewrite_pool(end_loan(pool), lent_before=pool.lent_to))


def add_pool(pool: WarmPool) -> Write:
    return put(pool_item(pool, changed_by=SCHEDULE), ABSENT, refusal=StaleJob(pool.name))


def rewrite_pool(pool: WarmPool, *, lent_before: str) -> Write:
    """Replaces the pool if it is still lent to the attempt `lent_before` (if empty: to no attempt)."""
    return put(pool_item(pool, changed_by=SCHEDULE), *_if_lent_to(lent_before), StaleJob(pool.name))


def _removal(pool: WarmPool) -> Write:
    """Removes the pool if its loan is unchanged: after another loan, the pool would hold a different demand."""
    return delete(pool_key(pool.name), *_if_lent_to(pool.lent_to), StaleJob(pool.name))


def _if_lent_to(attempt_name: str) -> tuple[str, dict[str, object]]:
    """Returns the condition that the pool is lent to this attempt, with the condition's values."""
    if not attempt_name:
        return f"{PRESENT} AND attribute_not_exists(lent_to)", {}
    return f"{PRESENT} AND lent_to = :before", {":before": attempt_name}
