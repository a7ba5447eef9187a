"""Concurrent calls on DynamoDB Local: conditions and transactions keep the store's promises."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseHeld, OverBudget, SchedulerError, StaleJob
from support.builders.jobs import GPU, NOON, a_job, an_attempt, changed_job, launching, unsealed
from support.dynamodb.stores import Stores

Result = TypeVar("Result")
TEN = Budget.parse(f"{GPU}=10")


@pytest.fixture
def stores(dynamodb_local: Stores) -> Stores:
    return dynamodb_local


def at_once(*calls: Callable[[], Result]) -> list[Result | SchedulerError]:
    """The answers or errors of calls that start at the same moment."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Result]) -> Result | SchedulerError:
        start.wait()
        try:
            return call()
        except SchedulerError as error:
            return error

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def test_sixty_launches_at_once_fill_a_budget_of_ten_exactly(stores: Stores) -> None:
    lease = stores.leases.acquire_lease(NOON, seconds=60)
    jobs = [a_job(f"job-{n}") for n in range(60)]
    for job in jobs:
        stores.jobs.submit(job, {})
    launches = [lambda job=job: stores.reservations.launch(launching(job), an_attempt(job), TEN, lease) for job in jobs]
    outcomes = at_once(*launches)
    won = {outcome.name for outcome in outcomes if isinstance(outcome, Job)}
    assert len(won) == 10
    assert {live.job.name for live in stores.live_attempts.live()} == won
    assert {type(outcome) for outcome in outcomes if not isinstance(outcome, Job)} == {OverBudget}


def test_twenty_cycles_at_once_give_one_holder(stores: Stores) -> None:
    outcomes = at_once(*[lambda: stores.leases.acquire_lease(NOON, seconds=60)] * 20)
    assert len([outcome for outcome in outcomes if isinstance(outcome, Lease)]) == 1
    assert [type(outcome) for outcome in outcomes].count(LeaseHeld) == 19


def test_twenty_submissions_of_a_name_at_once_make_one_job(stores: Stores) -> None:
    jobs = [a_job(owner=f"user-{n}") for n in range(20)]
    outcomes = at_once(*[lambda job=job: stores.jobs.submit(job, {"by": job.owner}) for job in jobs])
    assert outcomes.count(None) == 1
    winner = jobs[outcomes.index(None)]
    assert unsealed(stores.jobs.get("resnet")) == winner
    assert stores.jobs.request("resnet") == {"by": winner.owner}


@pytest.mark.parametrize("turn", range(20))
def test_a_wake_request_during_the_release_of_the_lease_is_not_lost(stores: Stores, turn: int) -> None:
    lease = stores.leases.acquire_lease(NOON, seconds=60)
    given_back, taken = at_once(
        lambda: stores.leases.release_lease(lease), lambda: stores.leases.acquire_lease(NOON, seconds=60)
    )
    holder_goes_on = isinstance(given_back, Lease)
    newcomer_runs = isinstance(taken, Lease)
    assert holder_goes_on != newcomer_runs


@pytest.mark.parametrize("turn", range(10))
def test_of_a_launch_and_a_cancel_at_once_one_is_refused_as_stale(stores: Stores, turn: int) -> None:
    lease = stores.leases.acquire_lease(NOON, seconds=60)
    job = a_job()
    stores.jobs.submit(job, {})
    launched, cancelled = at_once(
        lambda: stores.reservations.launch(launching(job), an_attempt(job), TEN, lease),
        lambda: stores.jobs.save(changed_job(job, state=JobState.STOPPED), by="api"),
    )
    assert {type(launched), type(cancelled)} == {Job, StaleJob}
    assert bool(stores.live_attempts.live()) == isinstance(launched, Job)
