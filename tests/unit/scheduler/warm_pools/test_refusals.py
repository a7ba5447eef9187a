"""The queue learns from ends of attempts which types get no warm pools."""

from typing import Any

import pytest

from scheduler.core.capacity.capacity_learning import with_refused_pools
from scheduler.core.capacity.capacity_memory import CapacityMemory, RefusedPool
from scheduler.core.jobs.attempt import Attempt
from support.builders.jobs import GPU, NOON, a_job, a_sighting, an_attempt

NOTHING = CapacityMemory()
REFUSED = CapacityMemory(refused_pools=(RefusedPool(GPU, NOON),))


def kept(seconds: int = 600) -> Attempt:
    return an_attempt(a_job(), keep_alive=seconds)


def after(memory: CapacityMemory, attempt: Attempt, status: str = "Completed", **seen: Any) -> CapacityMemory:
    return with_refused_pools(memory, attempt, a_sighting(status, **({"ended_at": NOON} | seen)))


def test_no_pool_where_one_was_to_be_is_remembered() -> None:
    assert after(NOTHING, kept(), pool_refused=True) == REFUSED


def test_it_is_known_since_the_first_time() -> None:
    assert after(REFUSED, kept(), pool_refused=True, ended_at=NOON.replace(hour=13)) == REFUSED


def test_a_pool_of_the_type_ends_that() -> None:
    assert after(REFUSED, kept(), keeps_instances=True) == NOTHING


@pytest.mark.parametrize(
    ("attempt", "status", "refused"),
    [(kept(), "Completed", False), (kept(), "Failed", True), (kept(0), "Completed", True)],
    ids=["nothing is said of a pool", "it failed", "none was asked for"],
)
def test_what_says_nothing_of_the_quota_changes_nothing(attempt: Attempt, status: str, refused: bool) -> None:
    assert after(NOTHING, attempt, status, pool_refused=refused) == NOTHING
    assert after(REFUSED, attempt, status, pool_refused=refused) == REFUSED
