"""What every LeaseStore does: one holder at a time, a fence that grows, and no call for a cycle lost."""

from datetime import timedelta

import pytest
from attrs import evolve

from builders.jobs import NOON
from contract.stores import Stores
from scheduler.core.reconciliation.rate_limit import Bucket, Call
from scheduler.errors.internal import LeaseHeld, LeaseLost
from scheduler.ports.lease_store import LeaseStore

LATER = NOON + timedelta(seconds=60)


@pytest.fixture
def leases(stores: Stores) -> LeaseStore:
    return stores.leases


def test_a_lease_lasts_as_long_as_asked(leases: LeaseStore) -> None:
    assert leases.take(NOON, seconds=60).expires_at == LATER


def test_a_second_cycle_is_turned_away(leases: LeaseStore) -> None:
    leases.take(NOON, seconds=60)
    with pytest.raises(LeaseHeld):
        leases.take(LATER - timedelta(microseconds=1), seconds=60)


def test_an_expired_lease_is_taken_over_with_a_higher_fence(leases: LeaseStore) -> None:
    first = leases.take(NOON, seconds=60)
    assert leases.take(LATER, seconds=60).fence > first.fence


def test_a_lease_given_back_is_free_at_once(leases: LeaseStore) -> None:
    first = leases.take(NOON, seconds=60)
    assert leases.give_back(first) is None
    assert leases.take(NOON, seconds=60).fence > first.fence


def test_a_knock_keeps_the_holder_at_work_until_it_has_seen_it(leases: LeaseStore) -> None:
    lease = leases.take(NOON, seconds=60)
    with pytest.raises(LeaseHeld):
        leases.take(NOON, seconds=60)
    still_held = leases.give_back(lease)
    assert still_held is not None
    assert (still_held.fence, still_held.expires_at) == (lease.fence, lease.expires_at)
    with pytest.raises(LeaseHeld):
        leases.take(NOON, seconds=60)
    after_another_knock = leases.give_back(still_held)
    assert after_another_knock is not None
    assert leases.give_back(after_another_knock) is None


def test_knocks_of_an_earlier_lease_do_not_count(leases: LeaseStore) -> None:
    leases.take(NOON, seconds=60)
    with pytest.raises(LeaseHeld):
        leases.take(NOON, seconds=60)
    assert leases.give_back(leases.take(LATER, seconds=60)) is None


def test_a_lease_that_another_cycle_took_over_cannot_be_given_back(leases: LeaseStore) -> None:
    late = leases.take(NOON, seconds=60)
    current = leases.take(LATER, seconds=60)
    with pytest.raises(LeaseLost):
        leases.give_back(late)
    with pytest.raises(LeaseHeld):
        leases.take(LATER, seconds=60)
    assert leases.give_back(current) is not None


def test_an_expired_lease_that_nobody_took_can_be_given_back(leases: LeaseStore) -> None:
    lease = leases.take(NOON, seconds=0)
    assert leases.give_back(lease) is None


def test_a_new_holder_knows_what_the_last_one_used_of_the_rates(leases: LeaseStore) -> None:
    used = {Call.CREATE: Bucket(LATER, slowdown=2), Call.LIST: Bucket(NOON)}
    first = leases.take(NOON, seconds=60)
    assert first.rate_limits == {}
    leases.give_back(evolve(first, rate_limits=used))
    assert leases.take(NOON, seconds=60).rate_limits == used
