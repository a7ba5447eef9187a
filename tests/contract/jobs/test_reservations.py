"""JobStore: launch and settle happen once, within the budget, under a lease."""

from dataclasses import replace

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseLost, OverBudget, StaleJob
from support.builders.attempts import TWO, assert_untouched, finish, launch, submitted
from support.builders.jobs import GPU, a_job, changed_job, launching
from support.dynamodb.stores import Stores

TWO_KINDS = Budget.parse(f"{GPU}=2,ml.p5.48xlarge=1")


def test_a_launch_writes_the_job_and_its_attempt(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    assert stores.live_attempts.live() == (live,)
    assert stores.jobs.get("resnet") == live.job
    assert stores.live_attempts.attempt("resnet-sq-1") == live.attempt
    assert (live.job.status.state, live.job.version) == (JobState.LAUNCHING, 1)
    assert stores.index.candidates(TWO) == ()


def test_a_launch_beyond_the_budget_changes_nothing(stores: Stores, lease: Lease) -> None:
    launch(stores, submitted(stores, "first"), lease)
    too_many = submitted(stores, "second", count=2)
    with pytest.raises(OverBudget):
        launch(stores, too_many, lease)
    assert_untouched(stores, too_many)
    launch(stores, submitted(stores, "third"), lease)


def test_the_budget_is_kept_for_each_type_of_a_demand(stores: Stores, lease: Lease) -> None:
    launch(stores, submitted(stores, "big", kind="ml.p5.48xlarge"), lease, TWO_KINDS)
    both = a_job("both", demand=Demand.of({GPU: 1, "ml.p5.48xlarge": 1}))
    stores.jobs.submit(both, {})
    with pytest.raises(OverBudget):
        launch(stores, both, lease, TWO_KINDS)
    launch(stores, submitted(stores, "small", count=2), lease, TWO_KINDS)


def test_a_shrunk_budget_counts_at_once(stores: Stores, lease: Lease) -> None:
    launch(stores, submitted(stores, "first"), lease, TWO)
    second = submitted(stores, "second")
    with pytest.raises(OverBudget):
        launch(stores, second, lease, Budget.parse(f"{GPU}=1"))
    with pytest.raises(OverBudget):
        launch(stores, second, lease, Budget.parse(f"{GPU}=0"))
    assert_untouched(stores, second)


def test_a_type_that_the_budget_does_not_name_is_refused(stores: Stores, lease: Lease) -> None:
    job = submitted(stores, kind="ml.p5.48xlarge")
    with pytest.raises(OverBudget):
        launch(stores, job, lease, TWO)
    assert_untouched(stores, job)


def test_a_job_that_changed_since_it_was_read_is_not_launched(stores: Stores, lease: Lease) -> None:
    seen = submitted(stores)
    changed = stores.jobs.save(changed_job(seen, priority=1), by="api")
    with pytest.raises(StaleJob):
        launch(stores, seen, lease)
    assert_untouched(stores, changed)


def test_a_job_that_does_not_wait_is_not_launched(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    with pytest.raises(StaleJob):
        launch(stores, live.job, lease)
    cancelled = stores.jobs.save(changed_job(submitted(stores, "cancelled"), state=JobState.STOPPED), by="api")
    with pytest.raises(StaleJob):
        launch(stores, cancelled, lease)
    assert stores.live_attempts.live() == (live,)


def test_an_attempt_name_is_reserved_once(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    other = submitted(stores, "other")
    with pytest.raises(StaleJob):
        stores.reservations.launch(launching(other), replace(live.attempt, job_name="other"), TWO, lease)
    assert_untouched(stores, other)


def test_live_jobs_are_given_by_the_names_of_their_attempts(stores: Stores, lease: Lease) -> None:
    second, first = (launch(stores, submitted(stores, name), lease) for name in ("b", "a"))
    assert stores.live_attempts.live() == (first, second)


def test_a_cycle_that_lost_its_lease_writes_nothing(stores: Stores, lease: Lease) -> None:
    waiting, live = submitted(stores, "waiting"), launch(stores, submitted(stores), lease)
    stores.leases.acquire_lease(lease.expires_at, seconds=60)
    with pytest.raises(LeaseLost):
        launch(stores, waiting, lease)
    with pytest.raises(LeaseLost):
        stores.reservations.update_attempt(live.job, replace(live.attempt, created=True), lease)
    with pytest.raises(LeaseLost):
        stores.reservations.record_create(replace(live.attempt, sent_at=lease.expires_at), None, lease)
    with pytest.raises(LeaseLost):
        finish(stores, live, lease)
    assert_untouched(stores, waiting)
    assert stores.live_attempts.live() == (live,)


def test_a_lost_lease_is_reported_first(stores: Stores, lost_lease: Lease) -> None:
    stale = replace(submitted(stores, count=2), version=5)
    with pytest.raises(LeaseLost):
        launch(stores, stale, lost_lease)


def test_a_stale_job_is_reported_before_a_full_budget(stores: Stores, lease: Lease) -> None:
    launch(stores, submitted(stores, "holder", count=2), lease)
    stale = replace(submitted(stores), version=5)
    with pytest.raises(StaleJob):
        launch(stores, stale, lease)


def test_settling_releases_the_budget(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores, count=2), lease)
    settled = finish(stores, live, lease)
    assert stores.jobs.get("resnet") == settled
    assert stores.live_attempts.live() == ()
    assert stores.live_attempts.attempt(live.attempt.name) is None
    launch(stores, submitted(stores, "next", count=2), lease)


def test_settling_releases_the_budget_once(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    launch(stores, submitted(stores, "other"), lease)
    settled = finish(stores, live, lease)
    with pytest.raises(StaleJob):
        finish(stores, LiveJob(settled, live.attempt), lease)
    launch(stores, submitted(stores, "next"), lease)
    with pytest.raises(OverBudget):
        launch(stores, submitted(stores, "one-too-many"), lease)


def test_a_job_cancelled_in_between_is_not_settled_over_it(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    cancelled = stores.jobs.save(changed_job(live.job, state=JobState.STOPPING), by="api")
    with pytest.raises(StaleJob):
        finish(stores, live, lease)
    assert stores.live_attempts.live() == (LiveJob(cancelled, live.attempt),)


def test_a_preempted_job_is_launched_again(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    preempted = stores.reservations.settle(changed_job(live.job, state=JobState.PREEMPTED), live.attempt, lease)
    assert stores.index.candidates(TWO) == (preempted,)
    again = launch(stores, preempted, lease)
    assert again.attempt.name == "resnet-sq-2"
    assert stores.live_attempts.live() == (again,)
