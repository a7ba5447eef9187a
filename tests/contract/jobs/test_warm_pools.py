"""JobStore: ended attempts whose instances stay in a warm pool."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.job import JobState
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseLost, OverBudget, StaleJob
from scheduler.ports.job_store import JobStore
from support.builders.attempts import launch, leave_pool, submitted
from support.dynamodb.stores import Stores


def test_an_attempt_that_keeps_its_instances_is_settled_and_holds_its_budget(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs, count=2), lease)
    settled = leave_pool(jobs, live, lease)
    assert (jobs.get("resnet"), jobs.live(), jobs.attempt("resnet-sq-1")) == (settled, (), None)
    assert jobs.pools() == (live.attempt,)
    assert not jobs.correct_ledger(live.attempt.demand, lease)
    with pytest.raises(OverBudget):
        launch(jobs, submitted(jobs, "next"), lease)


def test_a_pool_that_is_gone_releases_its_budget_once(jobs: JobStore, lease: Lease) -> None:
    first, second = (launch(jobs, submitted(jobs, name), lease) for name in ("first", "second"))
    leave_pool(jobs, first, lease)
    jobs.remove_pool(first.attempt, lease)
    with suppress(StaleJob):  # or it is recognised
        jobs.remove_pool(first.attempt, lease)
    assert (jobs.pools(), jobs.live()) == ((), (second,))
    assert not jobs.correct_ledger(second.attempt.demand, lease)


def test_pools_are_the_holders_of_the_lease_alone(stores: Stores, lost_lease: Lease) -> None:
    new_lease = stores.leases.acquire_lease(lost_lease.expires_at + timedelta(minutes=2), seconds=60)
    live = launch(stores.jobs, submitted(stores.jobs), new_lease)
    with pytest.raises(LeaseLost):
        leave_pool(stores.jobs, live, lost_lease)
    assert stores.jobs.live() == (live,)
    leave_pool(stores.jobs, live, new_lease)
    with pytest.raises(LeaseLost):
        stores.jobs.remove_pool(live.attempt, lost_lease)
    assert stores.jobs.pools() == (live.attempt,)


def test_a_job_that_left_a_pool_is_launched_beside_it(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    preempted = jobs.settle(replace(live.job, state=JobState.PREEMPTED), live.attempt, lease, keeps_instances=True)
    again = launch(jobs, preempted, lease)
    assert (jobs.live(), jobs.pools()) == ((again,), (live.attempt,))
