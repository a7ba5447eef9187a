"""LeaseStore: one holder at a time, a growing fence, and no lost wake request."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.reconciliation.lease import JudgedQueue
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


def test_a_new_holder_knows_how_far_the_last_one_judged_the_queue(leases: LeaseStore) -> None:
    judged = JudgedQueue("0123abcd", is_complete=False, next_token="behind")
    first = leases.acquire_lease(NOON, seconds=60)
    assert first.judged_queue == JudgedQueue()
    leases.release_lease(replace(first, judged_queue=judged))
    second = leases.acquire_lease(NOON, seconds=60)
    assert second.judged_queue == judged
    leases.release_lease(replace(second, judged_queue=JudgedQueue("0123abcd", is_complete=True)))
    assert leases.acquire_lease(NOON, seconds=60).judged_queue == JudgedQueue("0123abcd", is_complete=True)


@pytest.mark.parametrize("name", ["parked_token", "successors_token", "arrays_token"])
def test_the_position_at_which_a_sweep_continues_is_kept_until_the_end_of_the_list(
    leases: LeaseStore, name: str
) -> None:
    for token in ("prep#train", None):
        kept: dict[str, Any] = {name: token}
        leases.release_lease(replace(leases.acquire_lease(NOON, seconds=60), **kept))
        lease = leases.acquire_lease(NOON, seconds=60)
        assert getattr(lease, name) == token
        leases.release_lease(lease)


def test_an_idle_time_lasts_until_the_next_lease(leases: LeaseStore) -> None:
    assert leases.idle_until() is None
    leases.release_lease(replace(leases.acquire_lease(NOON, seconds=60), idle_until=LATER))
    assert leases.idle_until() == LATER
    next_lease = leases.acquire_lease(NOON, seconds=60)
    assert leases.idle_until() is None
    leases.release_lease(next_lease)
    assert leases.idle_until() is None


def test_a_queue_is_not_idle_if_a_wake_request_arrived(leases: LeaseStore) -> None:
    lease = leases.acquire_lease(NOON, seconds=60)
    with pytest.raises(LeaseHeld):
        leases.acquire_lease(NOON, seconds=60)
    assert leases.release_lease(replace(lease, idle_until=LATER)) is not None
    assert leases.idle_until() is None


def test_a_lease_knows_when_a_change_last_asked_for_a_cycle(leases: LeaseStore) -> None:
    lease = leases.acquire_lease(NOON, seconds=60, sweep=True)
    assert lease.woken_at is None
    with pytest.raises(LeaseHeld):
        leases.acquire_lease(NOON, seconds=60)
    still_held = leases.release_lease(lease)
    assert still_held is not None
    assert still_held.woken_at == NOON
    leases.release_lease(still_held)
    assert leases.acquire_lease(LATER, seconds=60, sweep=True).woken_at == NOON


def test_a_sweep_that_is_turned_away_stays_due_until_a_holder_has_swept(leases: LeaseStore) -> None:
    lease = leases.acquire_lease(NOON, seconds=60)
    with pytest.raises(LeaseHeld):
        leases.acquire_lease(NOON, seconds=60, sweep=True)
    still_held = leases.release_lease(lease)
    assert still_held is not None
    assert still_held.sweep_due
    assert leases.release_lease(still_held, wakes_again=True) is None
    later = leases.acquire_lease(LATER, seconds=60)
    assert later.sweep_due
    assert leases.release_lease(replace(later, sweep_due=False)) is None
    assert not leases.acquire_lease(LATER, seconds=60, sweep=True).sweep_due


def test_a_change_that_is_turned_away_makes_no_sweep_due(leases: LeaseStore) -> None:
    lease = leases.acquire_lease(NOON, seconds=60)
    with pytest.raises(LeaseHeld):
        leases.acquire_lease(NOON, seconds=60)
    still_held = leases.release_lease(lease)
    assert still_held is not None
    assert not still_held.sweep_due
