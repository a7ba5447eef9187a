"""JobStore: what the queue knows of capacity."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.capacity.capacity_memory import CapacityMemory, Interruptions, RefusedPool, Shortage
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from scheduler.core.planner.learned import Learned
from scheduler.errors.internal import LeaseLost, StaleJob
from support.builders.jobs import GPU, NOON, a_job, an_attempt, changed_job
from support.dynamodb.stores import Stores

HERE = Location(GPU, spot=True, subnet="subnet-1")
MEMORY = CapacityMemory(
    (Shortage(HERE, 3, NOON, NOON + timedelta(minutes=8)),),
    (Interruptions(HERE, 2, NOON),),
    (RefusedPool(GPU, NOON),),
)


def test_nothing_is_known_at_first(stores: Stores) -> None:
    assert stores.state.capacity() == CapacityMemory()


def test_what_is_kept_is_known(stores: Stores) -> None:
    stores.state.save_capacity(MEMORY, stores.leases.acquire_lease(NOON, seconds=60))
    assert stores.state.capacity() == MEMORY


def test_a_cycle_that_lost_its_lease_keeps_nothing(stores: Stores) -> None:
    lease = stores.leases.acquire_lease(NOON, seconds=60)
    stores.leases.acquire_lease(lease.expires_at + timedelta(seconds=1), seconds=60)
    with pytest.raises(LeaseLost):
        stores.state.save_capacity(MEMORY, lease)
    assert stores.state.capacity() == CapacityMemory()


def test_an_end_is_recorded_together_with_its_runtime(stores: Stores) -> None:
    job, lease = a_job(), stores.leases.acquire_lease(NOON, seconds=60)
    stores.jobs.submit(job, {})
    launching = changed_job(job, state=JobState.LAUNCHING, attempts=1)
    live = stores.reservations.launch(launching, an_attempt(job), Budget.parse(f"{GPU}=1"), lease)
    with pytest.raises(StaleJob):
        stores.reservations.settle(replace(live, version=7), an_attempt(job), lease, Learned(capacity=MEMORY))
    assert stores.state.capacity() == CapacityMemory()
    stores.reservations.settle(
        changed_job(live, state=JobState.PENDING), an_attempt(job), lease, Learned(capacity=MEMORY)
    )
    assert stores.state.capacity() == MEMORY


def test_an_end_without_a_runtime_leaves_the_estimates(stores: Stores) -> None:
    job, lease = a_job(), stores.leases.acquire_lease(NOON, seconds=60)
    stores.state.save_capacity(MEMORY, lease)
    stores.jobs.submit(job, {})
    launching = changed_job(job, state=JobState.LAUNCHING, attempts=1)
    live = stores.reservations.launch(launching, an_attempt(job), Budget.parse(f"{GPU}=1"), lease)
    stores.reservations.settle(changed_job(live, state=JobState.PENDING), an_attempt(job), lease)
    assert stores.state.capacity() == MEMORY
