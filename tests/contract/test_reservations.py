"""What every JobStore does for the cycle: launch, update and settle within the budget, under a lease."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from builders.jobs import GPU, NOON, a_job, a_sighting, an_attempt, launching
from contract.stores import Stores
from scheduler.domain.attempt import Attempt, Sighting
from scheduler.domain.budget import Budget
from scheduler.domain.demand import Demand
from scheduler.domain.job import Job, JobState
from scheduler.domain.lease import Lease
from scheduler.domain.snapshot import LiveJob
from scheduler.errors import LeaseLost, OverBudget, StaleJob
from scheduler.ports import JobStore

TWO = Budget.parse(f"{GPU}=2")
TWO_KINDS = Budget.parse(f"{GPU}=2,ml.p5.48xlarge=1")


@pytest.fixture
def jobs(stores: Stores) -> JobStore:
    return stores.jobs


@pytest.fixture
def lease(stores: Stores) -> Lease:
    return stores.leases.take(NOON, seconds=60)


@pytest.fixture
def lost_lease(stores: Stores, lease: Lease) -> Lease:
    stores.leases.take(lease.expires_at, seconds=60)
    return lease


def submitted(jobs: JobStore, name: str = "resnet", count: int = 1, kind: str = GPU) -> Job:
    job = a_job(name, demand=Demand.of({kind: count}))
    jobs.submit(job, {})
    return job


def launch(jobs: JobStore, job: Job, lease: Lease, budget: Budget = TWO) -> LiveJob:
    attempt = an_attempt(job, job.attempts + 1)
    return LiveJob(jobs.launch(launching(job), attempt, budget, lease), attempt)


def finish(jobs: JobStore, live: LiveJob, lease: Lease) -> Job:
    return jobs.settle(replace(live.job, state=JobState.COMPLETED), live.attempt, lease)


def known_attempt(jobs: JobStore, name: str) -> Attempt:
    attempt = jobs.attempt(name)
    assert attempt is not None
    return attempt


def assert_untouched(jobs: JobStore, job: Job) -> None:
    assert jobs.get(job.name) == job
    assert job.name not in {live.job.name for live in jobs.live()}


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


def test_a_cycle_whose_lease_passed_on_writes_nothing(jobs: JobStore, stores: Stores, lease: Lease) -> None:
    waiting, live = submitted(jobs, "waiting"), launch(jobs, submitted(jobs), lease)
    stores.leases.take(lease.expires_at, seconds=60)
    with pytest.raises(LeaseLost):
        launch(jobs, waiting, lease)
    with pytest.raises(LeaseLost):
        jobs.update_attempt(live.job, replace(live.attempt, created=True), lease)
    with pytest.raises(LeaseLost):
        finish(jobs, live, lease)
    assert_untouched(jobs, waiting)
    assert jobs.live() == (live,)


def test_a_lost_lease_is_told_before_all_else(jobs: JobStore, lost_lease: Lease) -> None:
    stale = replace(submitted(jobs, count=2), version=5)
    with pytest.raises(LeaseLost):
        launch(jobs, stale, lost_lease)


def test_a_stale_job_is_told_before_a_full_budget(jobs: JobStore, lease: Lease) -> None:
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


def test_an_update_writes_the_job_and_its_attempt(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    attempt = replace(live.attempt, created=True, stop_sent=True)
    job = jobs.update_attempt(replace(live.job, state=JobState.RUNNING), attempt, lease)
    assert jobs.live() == (LiveJob(job, attempt),)
    assert (job.state, job.version) == (JobState.RUNNING, 2)


def test_an_update_of_a_changed_job_is_refused(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    jobs.save(replace(live.job, state=JobState.STOPPING), by="api")
    with pytest.raises(StaleJob):
        jobs.update_attempt(live.job, replace(live.attempt, created=True), lease)
    assert jobs.attempt(live.attempt.name) == live.attempt


def test_an_update_of_a_settled_attempt_is_refused(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    settled = finish(jobs, live, lease)
    with pytest.raises(StaleJob):
        jobs.update_attempt(settled, live.attempt, lease)
    assert jobs.live() == ()


def test_an_update_leaves_alone_what_an_event_said_in_between(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    ended = a_sighting("Completed")
    assert jobs.note_sighting(live.attempt.name, ended, by="training_events")
    jobs.update_attempt(live.job, replace(live.attempt, created=True), lease)
    known = known_attempt(jobs, live.attempt.name)
    assert (known.created, known.sighting, known.needs_look) == (True, ended, True)


def test_a_sighting_of_a_live_attempt_is_kept(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    sighting = a_sighting(message="Downloading", training_started_at=NOON)
    assert jobs.note_sighting(live.attempt.name, sighting, by="training_events")
    assert jobs.live() == (LiveJob(live.job, replace(live.attempt, sighting=sighting)),)


@pytest.mark.parametrize("status", ["Completed", "Failed", "Stopped"])
def test_a_sighting_of_the_end_asks_for_a_look(jobs: JobStore, lease: Lease, status: str) -> None:
    attempt = launch(jobs, submitted(jobs), lease).attempt
    assert jobs.note_sighting(attempt.name, a_sighting(status), by="training_events")
    assert known_attempt(jobs, attempt.name).needs_look


def test_a_sighting_of_no_live_attempt_is_dropped(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    finish(jobs, live, lease)
    assert not jobs.note_sighting(live.attempt.name, a_sighting("Completed"), by="training_events")
    assert not jobs.note_sighting("somebody-elses-job", a_sighting("Completed"), by="training_events")
    assert jobs.live() == ()


@pytest.mark.parametrize(
    ("known", "late", "kept"),
    [
        (a_sighting(), a_sighting("Stopping", modified_at=NOON + timedelta(microseconds=1)), True),
        (a_sighting(), a_sighting("Stopping", modified_at=NOON - timedelta(microseconds=1)), False),
        (a_sighting(), a_sighting("Stopping"), False),
        (a_sighting("Stopped"), a_sighting(modified_at=NOON + timedelta(hours=1)), False),
        (a_sighting("Stopped"), a_sighting("Stopped", message="more", modified_at=NOON + timedelta(hours=1)), True),
        (a_sighting(), a_sighting("Completed", modified_at=NOON - timedelta(hours=1)), True),
        (a_sighting("Stopping"), a_sighting("Stopped"), True),
        (a_sighting("Stopped"), a_sighting("Stopped"), False),
    ],
    ids=[
        "newer",
        "older",
        "same time",
        "undoes the end",
        "more of the end",
        "end that looks older",
        "end at the same time",
        "same end again",
    ],
)
def test_only_news_is_kept(jobs: JobStore, lease: Lease, known: Sighting, late: Sighting, kept: bool) -> None:
    attempt = launch(jobs, submitted(jobs), lease).attempt
    jobs.note_sighting(attempt.name, known, by="training_events")
    assert jobs.note_sighting(attempt.name, late, by="training_events") is kept
    assert known_attempt(jobs, attempt.name).sighting == (late if kept else known)


def leave_pool(jobs: JobStore, live: LiveJob, lease: Lease) -> Job:
    return jobs.settle(replace(live.job, state=JobState.COMPLETED), live.attempt, lease, keeps_instances=True)


def test_an_attempt_that_keeps_its_instances_is_settled_and_holds_its_budget(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs, count=2), lease)
    settled = leave_pool(jobs, live, lease)
    assert (jobs.get("resnet"), jobs.live(), jobs.attempt("resnet-sq-1")) == (settled, (), None)
    assert jobs.pools() == (live.attempt,)
    assert not jobs.recount(live.attempt.demand, lease)
    with pytest.raises(OverBudget):
        launch(jobs, submitted(jobs, "next"), lease)


def test_a_pool_that_is_gone_releases_its_budget_once(jobs: JobStore, lease: Lease) -> None:
    first, second = (launch(jobs, submitted(jobs, name), lease) for name in ("first", "second"))
    leave_pool(jobs, first, lease)
    jobs.forget_pool(first.attempt, lease)
    with suppress(StaleJob):  # or it is recognised
        jobs.forget_pool(first.attempt, lease)
    assert (jobs.pools(), jobs.live()) == ((), (second,))
    assert not jobs.recount(second.attempt.demand, lease)


def test_pools_are_the_holders_of_the_lease_alone(stores: Stores, lost_lease: Lease) -> None:
    new_lease = stores.leases.take(lost_lease.expires_at + timedelta(minutes=2), seconds=60)
    live = launch(stores.jobs, submitted(stores.jobs), new_lease)
    with pytest.raises(LeaseLost):
        leave_pool(stores.jobs, live, lost_lease)
    assert stores.jobs.live() == (live,)
    leave_pool(stores.jobs, live, new_lease)
    with pytest.raises(LeaseLost):
        stores.jobs.forget_pool(live.attempt, lost_lease)
    assert stores.jobs.pools() == (live.attempt,)


def test_a_job_that_left_a_pool_is_launched_beside_it(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    preempted = jobs.settle(replace(live.job, state=JobState.PREEMPTED), live.attempt, lease, keeps_instances=True)
    again = launch(jobs, preempted, lease)
    assert (jobs.live(), jobs.pools()) == ((again,), (live.attempt,))
