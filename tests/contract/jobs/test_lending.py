"""JobStore: a warm pool and the attempt that takes it over hold together what the pool held."""

from contextlib import suppress
from dataclasses import replace

import pytest

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import NOTHING, total
from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import OverBudget, StaleJob
from scheduler.ports.job_store import JobStore
from support.builders.attempts import TWO, launch, leave_pool, submitted
from support.builders.jobs import NOON, an_attempt, launching
from support.dynamodb.stores import Stores


@pytest.fixture
def jobs(stores: Stores) -> JobStore:
    return stores.jobs


@pytest.fixture
def lease(stores: Stores) -> Lease:
    return stores.leases.acquire_lease(NOON, seconds=60)


def lend(jobs: JobStore, lease: Lease, *, count: int = 1) -> tuple[LiveJob, Attempt]:
    """An attempt that is to take over the pool which another one left, and that pool."""
    left = launch(jobs, submitted(jobs, "warm", count=count), lease)
    leave_pool(jobs, left, lease)
    (pool,) = jobs.pools()
    job = submitted(jobs, "next", count=count)
    attempt = an_attempt(job, on_pool=pool.name)
    launched = jobs.launch(launching(job), attempt, TWO, lease, pool)
    (pool,) = jobs.pools()
    return LiveJob(launched, attempt), pool


def test_a_lent_pool_holds_nothing_beside_the_job_that_reuses_it(jobs: JobStore, lease: Lease) -> None:
    live, pool = lend(jobs, lease, count=2)
    assert (pool.lent_to, pool.demand, pool.lent) == (live.attempt.name, NOTHING, live.attempt.demand)
    assert not jobs.correct_ledger(live.attempt.demand, lease)
    with pytest.raises(OverBudget):
        launch(jobs, submitted(jobs, "third"), lease)


def test_a_pool_is_lent_once(jobs: JobStore, lease: Lease) -> None:
    _, pool = lend(jobs, lease)
    job = submitted(jobs, "third")
    with pytest.raises(StaleJob):
        jobs.launch(launching(job), an_attempt(job, on_pool=pool.name), TWO, lease, replace(pool, lent_to=""))
    assert len(jobs.live()) == 1


def test_a_lent_pool_that_is_taken_over_leaves_its_budget_with_the_taker(jobs: JobStore, lease: Lease) -> None:
    live, pool = lend(jobs, lease)
    jobs.remove_pool(pool, lease, live.attempt)
    (taker,) = jobs.live()
    assert (jobs.pools(), taker.attempt.started_on) == ((), pool.name)
    assert not jobs.correct_ledger(live.attempt.demand, lease)


def test_a_taker_that_ends_gives_the_budget_back_to_the_pool_that_is_still_there(jobs: JobStore, lease: Lease) -> None:
    live, pool = lend(jobs, lease)
    jobs.settle(replace(live.job, state=JobState.PENDING), live.attempt, lease)
    (left,) = jobs.pools()
    assert (left.lent_to, left.demand, jobs.live()) == ("", live.attempt.demand, ())
    assert not jobs.correct_ledger(pool.lent, lease)


def test_a_taker_that_ends_after_its_pool_releases_its_budget(jobs: JobStore, lease: Lease) -> None:
    live, pool = lend(jobs, lease)
    jobs.remove_pool(pool, lease, live.attempt)
    jobs.settle(replace(live.job, state=JobState.COMPLETED), live.attempt, lease)
    assert not jobs.correct_ledger(NOTHING, lease)


def test_a_pool_that_no_job_reused_holds_its_budget_again(jobs: JobStore, lease: Lease) -> None:
    live, pool = lend(jobs, lease)
    jobs.end_pool_loan(pool, lease)
    with suppress(StaleJob):  # or it is recognised
        jobs.end_pool_loan(pool, lease)
    assert not jobs.correct_ledger(total([live.attempt.demand, pool.lent]), lease)


def test_a_pool_that_was_lent_since_it_was_read_is_not_forgotten(jobs: JobStore, lease: Lease) -> None:
    live, pool = lend(jobs, lease)
    as_it_was = replace(pool, demand=pool.lent, lent=NOTHING, lent_to="")
    with pytest.raises(StaleJob):
        jobs.remove_pool(as_it_was, lease)
    assert (jobs.pools(), jobs.correct_ledger(live.attempt.demand, lease)) == ((pool,), False)


def test_a_pool_that_came_back_since_it_was_read_is_not_forgotten(jobs: JobStore, lease: Lease) -> None:
    live, pool = lend(jobs, lease)
    jobs.end_pool_loan(pool, lease)
    with pytest.raises(StaleJob):
        jobs.remove_pool(pool, lease)
    assert not jobs.correct_ledger(total([live.attempt.demand, pool.lent]), lease)


def test_the_twin_of_a_pool_that_was_taken_over_stays_in_its_place(jobs: JobStore, lease: Lease) -> None:
    live, lent_one = lend(jobs, lease)
    other = launch(jobs, submitted(jobs, "other"), lease)
    leave_pool(jobs, other, lease)
    jobs.remove_pool(other.attempt, lease, live.attempt, lent_one)
    (left,) = jobs.pools()
    assert (left.name, left.lent_to, left.demand) == (lent_one.name, "", live.attempt.demand)
    assert not jobs.correct_ledger(total([live.attempt.demand, left.demand]), lease)
