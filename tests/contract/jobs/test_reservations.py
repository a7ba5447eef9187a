"""JobStore: launch and settle happen once, within the budget, under a lease."""

from dataclasses import replace

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseLost, OverBudget, StaleJob
from scheduler.ports.job_store import JobStore
from support.builders.attempts import TWO, assert_untouched, finish, launch, submitted
from support.builders.jobs import GPU, a_job, launching
from support.dynamodb.stores import Stores

TWO_KINDS = Budget.parse(f"{GPU}=2,ml.p5.48xlarge=1")


def test_a_launch_writes_the_job_and_its_attempt(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    assert jobs.live() == (live,)
    assert jobs.get("resnet") == live.job
    assert jobs.attempt("resnet-sq-1") == live.attempt
    assert (live.job.state, live.job.version) == (JobState.LAUNCHING, 1)
    assert jobs.candidates(TWO) == ()


def test_a_launch_beyond_the_budget_changes_nothing(jobs: JobStore, lease: Lease) -> None:
    launch(jobs, submitted(jobs, "first"), lease)
    too_many = submitted(jobs, "second", count=2)
    with pytest.raises(OverBudget):
        launch(jobs, too_many, lease)
    assert_untouched(jobs, too_many)
    launch(jobs, submitted(jobs, "third"), lease)


def test_the_budget_is_kept_for_each_type_of_a_demand(jobs: JobStore, lease: Lease) -> None:
    launch(jobs, submitted(jobs, "big", kind="ml.p5.48xlarge"), lease, TWO_KINDS)
    both = a_job("both", demand=Demand.of({GPU: 1, "ml.p5.48xlarge": 1}))
    jobs.submit(both, {})
    with pytest.raises(OverBudget):
        launch(jobs, both, lease, TWO_KINDS)
    launch(jobs, submitted(jobs, "small", count=2), lease, TWO_KINDS)


def test_a_shrunk_budget_counts_at_once(jobs: JobStore, lease: Lease) -> None:
    launch(jobs, submitted(jobs, "first"), lease, TWO)
    second = submitted(jobs, "second")
    with pytest.raises(OverBudget):
        launch(jobs, second, lease, Budget.parse(f"{GPU}=1"))
    with pytest.raises(OverBudget):
        launch(jobs, second, lease, Budget.parse(f"{GPU}=0"))
    assert_untouched(jobs, second)


def test_a_type_that_the_budget_does_not_name_is_refused(jobs: JobStore, lease: Lease) -> None:
    job = submitted(jobs, kind="ml.p5.48xlarge")
    with pytest.raises(OverBudget):
        launch(jobs, job, lease, TWO)
    assert_untouched(jobs, job)


def test_a_job_that_changed_since_it_was_read_is_not_launched(jobs: JobStore, lease: Lease) -> None:
    seen = submitted(jobs)
    changed = jobs.save(replace(seen, priority=1), by="api")
    with pytest.raises(StaleJob):
        launch(jobs, seen, lease)
    assert_untouched(jobs, changed)


def test_a_job_that_does_not_wait_is_not_launched(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    with pytest.raises(StaleJob):
        launch(jobs, live.job, lease)
    cancelled = jobs.save(replace(submitted(jobs, "cancelled"), state=JobState.STOPPED), by="api")
    with pytest.raises(StaleJob):
        launch(jobs, cancelled, lease)
    assert jobs.live() == (live,)


def test_an_attempt_name_is_reserved_once(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    other = submitted(jobs, "other")
    with pytest.raises(StaleJob):
        jobs.launch(launching(other), replace(live.attempt, job_name="other"), TWO, lease)
    assert_untouched(jobs, other)


def test_live_jobs_are_given_by_the_names_of_their_attempts(jobs: JobStore, lease: Lease) -> None:
    second, first = (launch(jobs, submitted(jobs, name), lease) for name in ("b", "a"))
    assert jobs.live() == (first, second)


def test_a_cycle_that_lost_its_lease_writes_nothing(jobs: JobStore, stores: Stores, lease: Lease) -> None:
    waiting, live = submitted(jobs, "waiting"), launch(jobs, submitted(jobs), lease)
    stores.leases.acquire_lease(lease.expires_at, seconds=60)
    with pytest.raises(LeaseLost):
        launch(jobs, waiting, lease)
    with pytest.raises(LeaseLost):
        jobs.update_attempt(live.job, replace(live.attempt, created=True), lease)
    with pytest.raises(LeaseLost):
        jobs.record_sent_at(live.attempt, lease.expires_at, lease)
    with pytest.raises(LeaseLost):
        finish(jobs, live, lease)
    assert_untouched(jobs, waiting)
    assert jobs.live() == (live,)


def test_a_lost_lease_is_reported_first(jobs: JobStore, lost_lease: Lease) -> None:
    stale = replace(submitted(jobs, count=2), version=5)
    with pytest.raises(LeaseLost):
        launch(jobs, stale, lost_lease)


def test_a_stale_job_is_reported_before_a_full_budget(jobs: JobStore, lease: Lease) -> None:
    launch(jobs, submitted(jobs, "holder", count=2), lease)
    stale = replace(submitted(jobs), version=5)
    with pytest.raises(StaleJob):
        launch(jobs, stale, lease)


def test_settling_releases_the_budget(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs, count=2), lease)
    settled = finish(jobs, live, lease)
    assert jobs.get("resnet") == settled
    assert jobs.live() == ()
    assert jobs.attempt(live.attempt.name) is None
    launch(jobs, submitted(jobs, "next", count=2), lease)


def test_settling_releases_the_budget_once(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    launch(jobs, submitted(jobs, "other"), lease)
    settled = finish(jobs, live, lease)
    with pytest.raises(StaleJob):
        finish(jobs, LiveJob(settled, live.attempt), lease)
    launch(jobs, submitted(jobs, "next"), lease)
    with pytest.raises(OverBudget):
        launch(jobs, submitted(jobs, "one-too-many"), lease)


def test_a_job_cancelled_in_between_is_not_settled_over_it(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    cancelled = jobs.save(replace(live.job, state=JobState.STOPPING), by="api")
    with pytest.raises(StaleJob):
        finish(jobs, live, lease)
    assert jobs.live() == (LiveJob(cancelled, live.attempt),)


def test_a_preempted_job_is_launched_again(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    preempted = jobs.settle(replace(live.job, state=JobState.PREEMPTED), live.attempt, lease)
    assert jobs.candidates(TWO) == (preempted,)
    again = launch(jobs, preempted, lease)
    assert again.attempt.name == "resnet-sq-2"
    assert jobs.live() == (again,)
