"""The planner offers a matching warm pool to a job."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.warm_pools.warm_pool import WarmPool
from support.builders.jobs import GPU, NOON
from support.builders.pool_rules import the_pool_rules
from support.builders.snapshots import a_snapshot, pool, running, waiting

LATER = NOON + timedelta(hours=1)
HOLD = the_pool_rules(GPU, "hold", keep="30m", dollars=100)


def fitting(name: str, priority: int = 0, **more: Any) -> Job:
    return waiting(name, priority, **{"pool_key": "key"} | more)


def left(name: str = "warm", **more: Any) -> WarmPool:
    ended = LATER - timedelta(minutes=10)
    usual: dict[str, Any] = {"pool_key": "key", "keep_alive": 1800, "ended_at": ended}
    return replace(pool(name), **usual | more)


def planned(budget: int, *jobs: Job | LiveJob, pools: tuple[WarmPool, ...] | None = None) -> Plan:
    snapshot = a_snapshot(budget, *jobs)
    return plan(replace(snapshot, pools=(left(),) if pools is None else pools, pool_rules=HOLD), LATER)


def launched(decided: Plan) -> list[tuple[str, str | None]]:
    return [(entry.job.name, entry.pool.name if entry.pool else None) for entry in decided.launches]


def test_a_job_that_fits_takes_the_pool_over_in_a_full_budget() -> None:
    decided = planned(1, fitting("next"))
    assert (launched(decided), decided.releases) == ([("next", "warm-sq-1")], ())
    assert decided.launches[0].keep_alive == 1800


def test_it_is_sent_into_the_subnet_of_the_pool() -> None:
    decided = planned(1, fitting("next"), pools=(left(subnet="subnet-2"),))
    assert decided.launches[0].subnet == "subnet-2"


def test_a_pool_is_given_to_one_job_only() -> None:
    decided = planned(1, fitting("a"), fitting("b"))
    assert (launched(decided), decided.releases) == ([("a", "warm-sq-1")], ())


@pytest.mark.parametrize(
    "of_pool",
    [
        {"lent_to": "other-sq-1", "lent": pool("x").demand, "demand": NOTHING},
        {"pool_key": ""},
        {"pool_key": "another"},
        {"is_readable": False},
        {"keep_alive": 610},  # over in ten seconds
        {"instances_since": LATER - timedelta(days=28)},
    ],
    ids=["lent", "of no key", "of another key", "unreadable", "about to end", "old"],
)
def test_a_pool_that_sagemaker_would_not_give_it_is_not_counted_on(of_pool: dict[str, Any]) -> None:
    decided = planned(2, fitting("next"), pools=(left(**of_pool),))
    assert launched(decided) == [("next", None)]


def test_a_job_whose_instances_are_not_kept_takes_none_over() -> None:
    snapshot = replace(a_snapshot(1, fitting("next")), pools=(left(),))
    decided = plan(snapshot, LATER)
    assert (launched(decided), [pool.name for pool in decided.releases]) == ([], ["warm-sq-1"])


def test_nothing_starts_on_a_pool_beyond_the_budget() -> None:
    decided = planned(1, running("a"), fitting("next"))
    assert launched(decided) == []


def test_a_higher_job_that_does_not_fit_has_the_pool_released() -> None:
    decided = planned(1, fitting("next"), waiting("urgent", 5))
    assert (launched(decided), [pool.name for pool in decided.releases]) == ([], ["warm-sq-1"])


def test_a_pool_is_reused_only_where_that_delays_no_reserved_job() -> None:
    wide = waiting("wide", 5, needs=2)
    short, long = fitting("short", max_runtime=60), fitting("long", max_runtime=90_000)
    assert launched(planned(2, running("busy", 9, max_runtime=7200), wide, short)) == [("short", "warm-sq-1")]
    assert launched(planned(2, running("busy", 9, max_runtime=7200), wide, long)) == []


def test_a_job_that_fits_precedes_an_equal_newer_one() -> None:
    just_come = waiting("other", after=55)
    decided = planned(1, just_come, fitting("next", after=58))
    assert launched(decided) == [("next", "warm-sq-1")]


@pytest.mark.parametrize(
    "ahead",
    [waiting("other", after=45), waiting("other", 1, after=55), waiting("other", after=55, on_top_since=NOON)],
    ids=["has waited for long", "of higher priority", "put on top"],
)
def test_no_other_job_is_overtaken(ahead: Job) -> None:
    decided = planned(1, ahead, fitting("next", after=58))
    assert (launched(decided), [pool.name for pool in decided.releases]) == ([], ["warm-sq-1"])


def test_a_pool_is_found_although_jobs_of_the_same_demand_wait() -> None:
    busy = running("busy", 9, max_runtime=7200)
    first, second = waiting("first", after=1, needs=2, max_runtime=60), fitting("second", after=2, max_runtime=60)
    decided = planned(2, busy, first, waiting("alike", after=2, max_runtime=90_000), second)
    assert ("second", "warm-sq-1") in launched(decided)
