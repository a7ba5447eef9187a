"""JobStore: learned runtimes are written together with the end of an attempt, or not at all."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.capacity.attempt_statistics import AttemptStatistics
from scheduler.core.capacity.locations import Location
from scheduler.core.history.runtime_stats import similarity_keys
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.learned import ALL_OWNERS, Learned, Usage
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseLost, StaleJob
from support.builders.jobs import GPU, NOON, a_job, an_attempt, changed_job, launching
from support.dynamodb.stores import Stores

ADA = a_job().owner_key
PAST = (
    Learned()
    .with_run(a_job(), 900)
    .with_usage("vision", Usage(3600.5, NOON))
    .with_usage("", Usage(60.0, NOON))
    .with_usage(f"vision@{ADA}", Usage(7.5, NOON))
    .with_statistics(Location(GPU, spot=True), AttemptStatistics(2.5, 7200.0, 1800.5, NOON))
    .with_statistics(Location(GPU), AttemptStatistics(1.0, 3600.0, 3600.0, NOON))
)
OWNERS, TEAMS = (ADA, ALL_OWNERS), ("vision", "", f"vision@{ADA}")


@pytest.fixture
def live(stores: Stores, lease: Lease) -> LiveJob:
    stores.jobs.submit(a_job(), {})
    attempt = an_attempt(a_job())
    return LiveJob(stores.reservations.launch(launching(a_job()), attempt, Budget.parse(f"{GPU}=1"), lease), attempt)


def test_nothing_is_remembered_at_first(stores: Stores) -> None:
    assert stores.learned.read_learned(OWNERS, TEAMS) == Learned()
    assert stores.learned.read_learned((), ()) == Learned()


def test_the_runtime_of_a_settled_attempt_is_kept(stores: Stores, live: LiveJob, lease: Lease) -> None:
    stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, PAST)
    known = stores.learned.read_learned(OWNERS, TEAMS)
    assert known.usage == PAST.usage
    assert known.runtime_stats_for([a_job()]).runs[next(similarity_keys(a_job()))].share == pytest.approx(
        900 / 86_400, 0.01
    )


def test_only_what_is_asked_for_is_given(stores: Stores, live: LiveJob, lease: Lease) -> None:
    stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, PAST)
    assert stores.learned.read_learned((ALL_OWNERS,), ()).runs.keys() == {ALL_OWNERS}
    assert stores.learned.read_learned((), ("speech",)) == Learned()


def test_the_costs_of_a_location_are_kept(stores: Stores, live: LiveJob, lease: Lease) -> None:
    stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, PAST)
    spot = Location(GPU, spot=True)
    known = stores.learned.read_learned((), (), (spot, Location("ml.m5.large"))).statistics
    assert known == {spot: PAST.statistics[spot]}


def test_the_order_in_which_runs_were_seen_is_kept(stores: Stores, live: LiveJob, lease: Lease) -> None:
    past = PAST.with_run(a_job("bert"), 60).with_run(a_job(), 900)
    stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, past)
    assert list(stores.learned.read_learned(OWNERS, ()).runs[ADA]) == list(past.runs[ADA])


def test_an_end_that_is_not_recorded_updates_no_estimate(stores: Stores, live: LiveJob, lease: Lease) -> None:
    with pytest.raises(StaleJob):
        stores.reservations.settle(replace(live.job, version=7), live.attempt, lease, PAST)
    assert stores.learned.read_learned(OWNERS, TEAMS) == Learned()


def test_an_end_records_its_runtime_once(stores: Stores, live: LiveJob, lease: Lease) -> None:
    settled = stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, PAST)
    with pytest.raises(StaleJob):
        stores.reservations.settle(settled, live.attempt, lease, PAST.with_usage("vision", Usage(9999.0, NOON)))
    assert stores.learned.read_learned((), ("vision",)).usage["vision"] == Usage(3600.5, NOON)


def test_a_cycle_that_lost_its_lease_records_no_runtime(stores: Stores, live: LiveJob, lease: Lease) -> None:
    stores.leases.acquire_lease(lease.expires_at + timedelta(seconds=1), seconds=60)
    with pytest.raises(LeaseLost):
        stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, PAST)
    assert stores.learned.read_learned(OWNERS, TEAMS) == Learned()
