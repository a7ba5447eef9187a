"""JobStore: a warm pool and the attempt that takes it over hold together what the pool held."""

from contextlib import suppress
from dataclasses import replace

import pytest

from scheduler.core.jobs.demand import NOTHING, total
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.errors.internal import OverBudget, StaleJob
from support.builders.attempts import TWO, launch, leave_pool, submitted
from support.builders.jobs import NOON, an_attempt, changed_job, launching
from support.dynamodb.stores import Stores


@pytest.fixture
def lease(stores: Stores) -> Lease:
    return stores.leases.acquire_lease(NOON, seconds=60)


def lend(stores: Stores, lease: Lease, *, count: int = 1) -> tuple[LiveJob, WarmPool]:
    """An attempt that is to take over the pool which another one left, and that pool."""
    left = launch(stores, submitted(stores, "warm", count=count), lease)
    leave_pool(stores, left, lease)
    (pool,) = stores.pools.pools()
    job = submitted(stores, "next", count=count)
    attempt = an_attempt(job, on_pool=pool.name)
    launched = stores.reservations.launch(launching(job), attempt, TWO, lease, pool)
    (pool,) = stores.pools.pools()
    return LiveJob(launched, attempt), pool


def test_a_lent_pool_holds_nothing_beside_the_job_that_reuses_it(stores: Stores, lease: Lease) -> None:
    live, pool = lend(stores, lease, count=2)
    assert (pool.lent_to, pool.demand, pool.lent) == (live.attempt.name, NOTHING, live.attempt.demand)
    assert not stores.state.correct_ledger(live.attempt.demand, lease)
    with pytest.raises(OverBudget):
        launch(stores, submitted(stores, "third"), lease)


def test_a_pool_is_lent_once(stores: Stores, lease: Lease) -> None:
    _, pool = lend(stores, lease)
    job = submitted(stores, "third")
    with pytest.raises(StaleJob):
        stores.reservations.launch(
            launching(job), an_attempt(job, on_pool=pool.name), TWO, lease, replace(pool, lent_to="")
        )
    assert len(stores.live_attempts.live()) == 1


def test_a_lent_pool_that_is_taken_over_leaves_its_budget_with_the_taker(stores: Stores, lease: Lease) -> None:
    live, pool = lend(stores, lease)
    stores.pools.remove_pool(pool, lease, live.attempt)
    (taker,) = stores.live_attempts.live()
    assert (stores.pools.pools(), taker.attempt.started_on) == ((), pool.name)
    assert not stores.state.correct_ledger(live.attempt.demand, lease)


def test_a_taker_that_ends_gives_the_budget_back_to_the_pool_that_is_still_there(stores: Stores, lease: Lease) -> None:
    live, pool = lend(stores, lease)
    stores.reservations.settle(changed_job(live.job, state=JobState.PENDING), live.attempt, lease)
    (left,) = stores.pools.pools()
    assert (left.lent_to, left.demand, stores.live_attempts.live()) == ("", live.attempt.demand, ())
    assert not stores.state.correct_ledger(pool.lent, lease)


def test_a_taker_that_ends_after_its_pool_releases_its_budget(stores: Stores, lease: Lease) -> None:
    live, pool = lend(stores, lease)
    stores.pools.remove_pool(pool, lease, live.attempt)
    stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease)
    assert not stores.state.correct_ledger(NOTHING, lease)


def test_a_pool_that_no_job_reused_holds_its_budget_again(stores: Stores, lease: Lease) -> None:
    live, pool = lend(stores, lease)
    stores.pools.end_pool_loan(pool, lease)
    with suppress(StaleJob):  # or it is recognised
        stores.pools.end_pool_loan(pool, lease)
    assert not stores.state.correct_ledger(total([live.attempt.demand, pool.lent]), lease)


def test_a_pool_that_was_lent_since_it_was_read_is_not_forgotten(stores: Stores, lease: Lease) -> None:
    live, pool = lend(stores, lease)
    as_it_was = replace(pool, demand=pool.lent, lent=NOTHING, lent_to="")
    with pytest.raises(StaleJob):
        stores.pools.remove_pool(as_it_was, lease)
    assert (stores.pools.pools(), stores.state.correct_ledger(live.attempt.demand, lease)) == ((pool,), False)


def test_a_pool_that_came_back_since_it_was_read_is_not_forgotten(stores: Stores, lease: Lease) -> None:
    live, pool = lend(stores, lease)
    stores.pools.end_pool_loan(pool, lease)
    with pytest.raises(StaleJob):
        stores.pools.remove_pool(pool, lease)
    assert not stores.state.correct_ledger(total([live.attempt.demand, pool.lent]), lease)


def test_the_twin_of_a_pool_that_was_taken_over_stays_in_its_place(stores: Stores, lease: Lease) -> None:
    live, lent_one = lend(stores, lease)
    other = launch(stores, submitted(stores, "other"), lease)
    leave_pool(stores, other, lease)
    stores.pools.remove_pool(WarmPool.left_by(other.attempt), lease, live.attempt, lent_one)
    (left,) = stores.pools.pools()
    assert (left.name, left.lent_to, left.demand) == (lent_one.name, "", live.attempt.demand)
    assert not stores.state.correct_ledger(total([live.attempt.demand, left.demand]), lease)
