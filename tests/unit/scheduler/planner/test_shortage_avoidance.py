"""The locations where a plan may start jobs after a shortage."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from scheduler.core.capacity.capacity_memory import CapacityMemory, Interruptions, Shortage
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Outcome
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import GPU, NOON, a_sighting
from support.builders.snapshots import a_snapshot, gpus, running, waiting

MINUTE = timedelta(minutes=1)
ONE, TWO = "subnet-1", "subnet-2"


def a_shortage(location: Location, *, until: int = 30, failures: int = 1) -> Shortage:
    """A shortage that begins at noon and lasts so many minutes."""
    return Shortage(location, failures, NOON, NOON + until * MINUTE)


def knowing(snapshot: Snapshot, *shortages: Shortage) -> Snapshot:
    return replace(snapshot, capacity=CapacityMemory(shortages))


def at(minutes: int) -> datetime:
    return NOON + minutes * MINUTE


def launched(decided: Plan) -> list[str]:
    return [launch.job.name for launch in decided.launches]


def codes(decided: Plan) -> list[ReasonCode]:
    return [wait.reason.code for wait in decided.waits]


def test_no_job_tries_before_the_pause_ends() -> None:
    snapshot = knowing(a_snapshot(4, waiting("a"), waiting("b")), a_shortage(Location(GPU)))
    assert codes(plan(snapshot, at(29))) == [ReasonCode.WAITS_FOR_CAPACITY] * 2


def test_the_reason_names_the_shortage_and_the_next_probe() -> None:
    snapshot = knowing(a_snapshot(4, waiting("a")), a_shortage(Location(GPU)))
    (wait,) = plan(snapshot, at(1)).waits
    assert wait.reason.message == (
        f"SageMaker had no {GPU} at 2026-11-21 12:00:00 UTC; the next try is due at 2026-11-21 12:30:00 UTC"
    )


def test_after_the_pause_one_job_tries_and_the_others_wait_for_it() -> None:
    snapshot = knowing(a_snapshot(4, waiting("a"), waiting("b", after=1)), a_shortage(Location(GPU)))
    decided = plan(snapshot, at(30))
    assert launched(decided) == ["a"]
    assert codes(decided) == [ReasonCode.WAITS_FOR_CAPACITY]
    assert next(iter(decided.waits)).reason.message.endswith("a is trying now")


def test_while_one_job_tries_no_other_does() -> None:
    snapshot = knowing(a_snapshot(4, running("probe", after=31), waiting("a")), a_shortage(Location(GPU)))
    assert launched(plan(snapshot, at(40))) == []


def unreadable(name: str, *, after: int) -> LiveJob:
    one = running(name, after=after, reason=Reason(ReasonCode.UNREADABLE_RECORD, ""), demand=NOTHING)
    return replace(one, attempt=replace(one.attempt, demand=gpus(1)))


def test_a_job_with_an_unreadable_record_may_be_the_probe() -> None:
    snapshot = knowing(a_snapshot(4, unreadable("probe", after=31), waiting("a")), a_shortage(Location(GPU)))
    assert launched(plan(snapshot, at(40))) == []


def test_an_unreadable_record_delays_other_jobs_until_it_trains_or_for_ten_minutes() -> None:
    probe = unreadable("probe", after=31)
    trains = replace(probe, attempt=replace(probe.attempt, observation=a_sighting(training_started_at=at(33))))
    for tried, now in ((trains, at(34)), (probe, at(41))):
        snapshot = knowing(a_snapshot(4, tried, waiting("a")), a_shortage(Location(GPU)))
        assert launched(plan(snapshot, now)) == ["a"]


def test_of_several_probes_the_same_one_is_named_in_any_order_of_reading() -> None:
    here, there = running("b", after=31), running("c", after=32)
    plans = [
        plan(knowing(a_snapshot(4, *order, waiting("a")), a_shortage(Location(GPU))), at(33))
        for order in ((here, there), (there, here))
    ]
    assert plans[0] == plans[1]


def test_an_attempt_from_before_the_shortage_is_no_probe() -> None:
    snapshot = knowing(a_snapshot(4, running("old", after=-60), waiting("a")), a_shortage(Location(GPU)))
    assert launched(plan(snapshot, at(40))) == ["a"]


def test_a_job_for_which_others_are_stopped_is_the_one_that_tries() -> None:
    snapshot = knowing(
        a_snapshot(2, running("victim", holds=2, after=-60), waiting("high", 5, needs=2), waiting("low")),
        a_shortage(Location(GPU)),
    )
    decided = plan(snapshot, at(30))
    assert [entry.beneficiary.name for entry in decided.preemptions] == ["high"]
    assert launched(decided) == []


def test_no_job_is_stopped_for_instances_that_sagemaker_lacks() -> None:
    snapshot = knowing(a_snapshot(1, running("victim", after=-60), waiting("high", 5)), a_shortage(Location(GPU)))
    assert plan(snapshot, at(29)).preemptions == ()


def test_a_job_that_waits_for_capacity_reserves_nothing() -> None:
    spot = waiting("spot", 5, needs=4, spot=True)
    snapshot = knowing(a_snapshot(4, spot, waiting("a", max_runtime=86_400)), a_shortage(Location(GPU, spot=True)))
    assert launched(plan(snapshot, at(1))) == ["a"]


def test_a_spot_job_that_continues_on_demand_does_not_wait_for_spot_instances() -> None:
    left = waiting("left", spot=True, on_demand=True)
    assert launched(plan(knowing(a_snapshot(1, left), a_shortage(Location(GPU, spot=True))), at(1))) == ["left"]


def test_a_job_of_two_types_waits_for_either() -> None:
    both = waiting("both", demand=Demand.of({GPU: 1, "ml.m5.large": 1}))
    snapshot = a_snapshot(1, both)
    budget = replace(snapshot.budget, limit=both.spec.demand, types=(GPU, "ml.m5.large"))
    snapshot = knowing(replace(snapshot, budget=budget), a_shortage(Location("ml.m5.large")))
    assert codes(plan(snapshot, at(1))) == [ReasonCode.WAITS_FOR_CAPACITY]


@pytest.mark.parametrize(
    ("reason", "trained", "retried"),
    [
        ("CapacityError: none", False, True),  # the shortage has ended
        ("CapacityError: none", True, False),
        ("ResourceLimit: of the operators' own pattern", False, False),
    ],
)
def test_only_a_remembered_shortage_replaces_the_pause_of_a_job(reason: str, trained: bool, retried: bool) -> None:
    failed = EndedAttempt("a-sq-1", 1, Outcome.FAILED, at(0), at(1), at(0) if trained else None, failure_reason=reason)
    failed = replace(failed, failure_class=FailureClass.CAPACITY)
    job = waiting("a", history=(failed,), attempts=1, not_before=at(30))
    assert launched(plan(a_snapshot(1, job), at(2))) == (["a"] if retried else [])
    assert launched(plan(a_snapshot(1, job), at(30))) == ["a"]


def test_several_instances_go_to_a_subnet_without_shortages() -> None:
    wide = waiting("wide", needs=2, subnets=(ONE, TWO))
    (launch,) = plan(knowing(a_snapshot(2, wide), a_shortage(Location(GPU, subnet=ONE))), at(1)).launches
    assert launch.subnet == TWO


def test_several_instances_go_to_the_subnet_with_fewest_interruptions() -> None:
    wide = waiting("wide", needs=2, spot=True, subnets=(ONE, TWO))
    memory = CapacityMemory(interruptions=(Interruptions(Location(GPU, spot=True, subnet=ONE), 1, NOON),))
    (launch,) = plan(replace(a_snapshot(2, wide), capacity=memory), at(1)).launches
    assert launch.subnet == TWO


def test_among_equals_the_first_subnet_is_taken() -> None:
    (launch,) = plan(a_snapshot(2, waiting("wide", needs=2, subnets=(ONE, TWO))), at(1)).launches
    assert launch.subnet == ONE


def test_a_single_instance_waits_only_if_no_subnet_is_left() -> None:
    single = waiting("single", subnets=(ONE, TWO))
    short_of_one = knowing(a_snapshot(1, single), a_shortage(Location(GPU, subnet=ONE)))
    short_of_both = knowing(a_snapshot(1, single), *(a_shortage(Location(GPU, subnet=name)) for name in (ONE, TWO)))
    assert launched(plan(short_of_one, at(1))) == ["single"]
    assert launched(plan(short_of_both, at(1))) == []


def test_a_shortage_of_one_type_does_not_affect_another() -> None:
    snapshot = knowing(a_snapshot(1, waiting("a", demand=gpus(1))), a_shortage(Location("ml.p5.48xlarge")))
    assert launched(plan(snapshot, at(1))) == ["a"]


def test_one_instance_of_either_type_goes_wherever_there_is_one() -> None:
    either = Demand.of({GPU: 1, "ml.m5.large": 1})
    job = waiting("a", demand=either, has_preferences=True, subnets=(ONE, TWO))
    snapshot = replace(a_snapshot(0, job), budget=Budget(either, tuple(either)))
    (launch,) = plan(snapshot, NOON).launches
    assert launch.subnet == ""
