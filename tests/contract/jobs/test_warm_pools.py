"""JobStore: ended attempts whose instances stay in a warm pool."""

from contextlib import suppress
from datetime import timedelta

import pytest

from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.errors.internal import LeaseLost, OverBudget, StaleJob
from support.builders.attempts import launch, leave_pool, submitted
from support.builders.jobs import changed_job
from support.dynamodb.stores import Stores


def test_an_attempt_that_keeps_its_instances_is_settled_and_holds_its_budget(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores, count=2), lease)
    settled = leave_pool(stores, live, lease)
    assert (stores.jobs.get("resnet"), stores.live_attempts.live(), stores.live_attempts.attempt("resnet-sq-1")) == (
        settled,
        (),
        None,
    )
    assert stores.pools.pools() == (WarmPool.left_by(live.attempt),)
    assert not stores.state.correct_ledger(live.attempt.demand, lease)
    with pytest.raises(OverBudget):
        launch(stores, submitted(stores, "next"), lease)


def test_a_pool_that_is_gone_releases_its_budget_once(stores: Stores, lease: Lease) -> None:
    first, second = (launch(stores, submitted(stores, name), lease) for name in ("first", "second"))
    leave_pool(stores, first, lease)
    stores.pools.remove_pool(WarmPool.left_by(first.attempt), lease)
    with suppress(StaleJob):  # or it is recognised
        stores.pools.remove_pool(WarmPool.left_by(first.attempt), lease)
    assert (stores.pools.pools(), stores.live_attempts.live()) == ((), (second,))
    assert not stores.state.correct_ledger(second.attempt.demand, lease)


def test_pools_are_the_holders_of_the_lease_alone(stores: Stores, lost_lease: Lease) -> None:
    new_lease = stores.leases.acquire_lease(lost_lease.expires_at + timedelta(minutes=2), seconds=60)
    live = launch(stores, submitted(stores), new_lease)
    with pytest.raises(LeaseLost):
        leave_pool(stores, live, lost_lease)
    assert stores.live_attempts.live() == (live,)
    leave_pool(stores, live, new_lease)
    with pytest.raises(LeaseLost):
        stores.pools.remove_pool(WarmPool.left_by(live.attempt), lost_lease)
    assert stores.pools.pools() == (WarmPool.left_by(live.attempt),)


def test_a_job_that_left_a_pool_is_launched_beside_it(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    preempted = stores.reservations.settle(
        changed_job(live.job, state=JobState.PREEMPTED), live.attempt, lease, left_pool=True
    )
    again = launch(stores, preempted, lease)
    assert (stores.live_attempts.live(), stores.pools.pools()) == ((again,), (WarmPool.left_by(live.attempt),))
