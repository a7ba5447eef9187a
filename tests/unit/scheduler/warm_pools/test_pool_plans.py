"""Warm pools hold budget, and are released before a job is preempted."""

from dataclasses import replace
from datetime import timedelta

from scheduler.core.calendar.calendar import Excess, ExcessRule
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.warm_pools.warm_pool import WarmPool
from support.builders.jobs import NOON
from support.builders.snapshots import a_snapshot, gpus, pool, running, stopping, waiting

LATER = NOON + timedelta(hours=1)


def planned(budget: int, *jobs: Job | LiveJob, pools: tuple[WarmPool, ...]) -> Plan:
    return plan(replace(a_snapshot(budget, *jobs), pools=pools), LATER)


def released(decided: Plan) -> list[str]:
    return [pool.job_name for pool in decided.releases]


def reason(decided: Plan, name: str) -> ReasonCode:
    found = decided.reason_for(name)
    assert found is not None
    return found.code


def test_a_pool_holds_budget_and_is_released_for_a_job_that_needs_it() -> None:
    decided = planned(1, waiting("next"), pools=(pool("warm"),))
    assert (decided.launches, released(decided)) == ((), ["warm"])
    assert reason(decided, "next") is ReasonCode.WAITS_FOR_STOPPING


def test_a_pool_stays_while_there_is_room_beside_it() -> None:
    decided = planned(2, waiting("next"), pools=(pool("warm"),))
    assert ([entry.job.name for entry in decided.launches], released(decided)) == (["next"], [])


def test_a_pool_of_another_type_stays() -> None:
    decided = planned(1, running("busy"), waiting("next"), pools=(pool("other", kind="ml.p5.48xlarge"),))
    assert released(decided) == []


def test_a_pool_above_a_shrunk_budget_stays_while_no_job_needs_it() -> None:
    other = pool("other", kind="ml.p5.48xlarge")  # of which the budget has nothing
    decided = planned(2, running("busy"), waiting("next", needs=2), pools=(pool("warm"), other))
    assert released(decided) == []
    decided = planned(2, waiting("next", needs=2), pools=(other, pool("warm")))
    assert released(decided) == ["warm"]


def test_none_more_go_than_are_needed() -> None:
    decided = planned(3, waiting("next", needs=2), pools=(pool("a"), pool("b"), pool("c")))
    assert released(decided) == ["a", "b"]


def test_each_goes_for_one_job_only() -> None:
    decided = planned(2, waiting("first", 2), waiting("second", 1), pools=(pool("a"), pool("b")))
    assert released(decided) == ["a", "b"]
    assert len({entry.job.name for entry in decided.waits}) == len(decided.waits.jobs) == 2


def test_no_job_is_stopped_where_a_pool_is_enough() -> None:
    decided = planned(2, running("low"), waiting("high", 9), pools=(pool("warm"),))
    assert (decided.preemptions, released(decided)) == ((), ["warm"])


def test_a_pool_and_a_job_go_where_neither_is_enough() -> None:
    decided = planned(3, running("low"), running("mid", 5), waiting("high", 9, needs=2), pools=(pool("warm"),))
    assert ([entry.victim.job.name for entry in decided.preemptions], released(decided)) == (["low"], ["warm"])


def test_no_pool_goes_where_stopping_jobs_are_enough() -> None:
    decided = planned(2, stopping("low"), waiting("high", 9), pools=(pool("warm"),))
    assert released(decided) == []


def test_no_pool_goes_for_a_job_that_would_not_fit_then() -> None:
    decided = planned(2, running("same", max_runtime=7200), waiting("wide", needs=2), pools=(pool("warm"),))
    assert released(decided) == []
    (place,) = decided.reservations
    assert place.starts_at == NOON + timedelta(hours=2)  # when the running one has ended, the pool goes


def test_pools_go_first_where_the_budget_was_shrunk() -> None:
    snapshot = replace(a_snapshot(2, running("a"), running("b")), pools=(pool("warm"),), excess=ExcessRule(Excess.STOP))
    decided = plan(snapshot, LATER)
    assert (released(decided), decided.evictions) == (["warm"], ())


def test_a_pool_that_cannot_be_read_is_left_alone_and_counts() -> None:
    broken = replace(pool("broken"), is_readable=False, demand=gpus(1))
    decided = planned(1, waiting("next"), pools=(broken,))
    assert (decided.launches, released(decided)) == ((), [])
