"""LeaseStore: one holder at a time, a growing fence, and no lost wake request."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.reconciliation.rate_limit import ApiCall, Bucket
from scheduler.errors.internal import LeaseHeld, LeaseLost
from scheduler.ports.job_store import LeaseStore
from support.builders.jobs import NOON
from support.dynamodb.stores import Stores

LATER = NOON + timedelta(seconds=60)


@pytest.fixture
def leases(stores: Stores) -> LeaseStore:
    return stores.leases


def test_a_lease_lasts_as_long_as_asked(leases: LeaseStore) -> None:
    assert leases.acquire_lease(NOON, seconds=60).expires_at == LATER


def test_a_second_cycle_is_turned_away(leases: LeaseStore) -> None:
    leases.acquire_lease(NOON, seconds=60)
    with pytest.raises(LeaseHeld):
        leases.acquire_lease(LATER - timedelta(microseconds=1), seconds=60)


def test_an_expired_lease_is_taken_over_with_a_higher_fence(leases: LeaseStore) -> None:
    first = leases.acquire_lease(NOON, seconds=60)
    assert leases.acquire_lease(LATER, seconds=60).fence > first.fence


def test_a_lease_given_back_is_free_at_once(leases: LeaseStore) -> None:
    first = leases.acquire_lease(NOON, seconds=60)
    assert leases.release_lease(first) is None
    assert leases.acquire_lease(NOON, seconds=60).fence > first.fence


def test_a_wake_request_keeps_the_holder_at_work_until_it_is_read(leases: LeaseStore) -> None:
    lease = leases.acquire_lease(NOON, seconds=60)
    with pytest.raises(LeaseHeld):
        leases.acquire_lease(NOON, seconds=60)
    still_held = leases.release_lease(lease)
    assert still_held is not None
    assert (still_held.fence, still_held.expires_at) == (lease.fence, lease.expires_at)
    with pytest.raises(LeaseHeld):
        leases.acquire_lease(NOON, seconds=60)
    after_another_knock = leases.release_lease(still_held)
    assert after_another_knock is not None
    assert leases.release_lease(after_another_knock) is None


def test_wake_requests_of_an_earlier_lease_do_not_count(leases: LeaseStore) -> None:
    leases.acquire_lease(NOON, seconds=60)
    with pytest.raises(LeaseHeld):
        leases.acquire_lease(NOON, seconds=60)
    assert leases.release_lease(leases.acquire_lease(LATER, seconds=60)) is None


def test_a_lease_that_another_cycle_took_over_cannot_be_given_back(leases: LeaseStore) -> None:
    late = leases.acquire_lease(NOON, seconds=60)
    current = leases.acquire_lease(LATER, seconds=60)
    with pytest.raises(LeaseLost):
        leases.release_lease(late)
    with pytest.raises(LeaseHeld):
        leases.acquire_lease(LATER, seconds=60)
    assert leases.release_lease(current) is not None


def test_an_expired_lease_can_be_released(leases: LeaseStore) -> None:
    lease = leases.acquire_lease(NOON, seconds=0)
    assert leases.release_lease(lease) is None


def test_a_new_holder_knows_what_the_last_one_used_of_the_rates(leases: LeaseStore) -> None:
    used = {ApiCall.CREATE: Bucket(LATER, slowdown=2), ApiCall.LIST: Bucket(NOON)}
    first = leases.acquire_lease(NOON, seconds=60)
    assert first.rate_limits == {}
    leases.release_lease(replace(first, rate_limits=used))
    assert leases.acquire_lease(NOON, seconds=60).rate_limits == used
