"""A shortage of one instance type: which jobs probe it, how often, and which start first afterwards."""

from math import inf
from typing import Any

import pytest

from local_sagemaker.state_machine.capacity import Shortage
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from support.account.simulated_queue import ADA, SimulatedQueue

KIND, OTHER = "ml.m5.large", "ml.g5.xlarge"
SPOT: dict[str, Any] = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 86_400, "MaxWaitTimeInSeconds": 90_000},
}


def a_drought(world: SimulatedQueue, *, fails_after: float = 0, kind: str = KIND) -> None:
    """Until `rain`; an attempt fails after so many seconds."""
    world.simulation.machine.set_shortage(kind, Shortage(inf, fails_after), world.simulation.now)


def rain(world: SimulatedQueue, kind: str = KIND) -> None:
    world.simulation.machine.set_shortage(kind, Shortage(world.simulation.now), world.simulation.now)


def reason_of(world: SimulatedQueue, name: str) -> ReasonCode:
    return world.queries.get(name, ADA)[0].reason.code


def attempts(world: SimulatedQueue) -> int:
    return len(world.simulation.machine.jobs)


def without_instances(world: SimulatedQueue) -> list[str]:
    return [
        job.name for job in world.simulation.machine.jobs.values() if not job.is_terminal and job.started_at is None
    ]


def test_one_failure_keeps_all_others_from_running_into_it() -> None:
    world = SimulatedQueue(budget=f"{KIND}=4")
    a_drought(world)
    world.submit("first")
    world.run(5)
    for number in range(3):
        world.submit(f"later{number}")
    world.run(30)
    assert attempts(world) == 1
    assert reason_of(world, "later0") is ReasonCode.WAITS_FOR_CAPACITY


def test_one_at_a_time_tries_again_and_ever_more_rarely() -> None:
    world = SimulatedQueue(budget=f"{KIND}=4")
    a_drought(world, fails_after=120)
    for number in range(4):
        world.submit(f"job{number}")
    world.run(600)
    known = attempts(world)
    most = 0
    for _ in range(4 * 60):
        world.run(60)
        most = max(most, len(without_instances(world)))
    assert most == 1
    assert 4 <= attempts(world) - known <= 10  # each half hour and what the attempt took, not each minute


def test_when_there_are_some_again_those_that_wait_go_in_order() -> None:
    world = SimulatedQueue(budget=f"{KIND}=1", durations={"high": 600, "low": 600})
    a_drought(world)
    world.submit("high", priority=5)
    world.run(3600)
    world.submit("low")
    rain(world)
    world.run_until_empty()
    started = {name: world.job(name).status.history[-1].reserved_at for name in ("high", "low")}
    assert started["high"] < started["low"]


def test_instances_that_come_end_the_shortage_for_all() -> None:
    world = SimulatedQueue(budget=f"{KIND}=3", durations={"a": 3600, "b": 3600, "c": 3600})
    a_drought(world)
    for name in "abc":
        world.submit(name)
    world.run(1200)
    rain(world)
    world.run_until(lambda: any(job.started_at for job in world.simulation.machine.jobs.values()))
    world.run(60)
    assert {world.job(name).status.state for name in "abc"} == {JobState.RUNNING}
    assert world.store.capacity_memory.shortages == ()


def test_a_long_wait_is_a_shortage_too() -> None:
    world = SimulatedQueue(budget=f"{KIND}=2")
    a_drought(world, fails_after=inf)
    world.submit("first")
    world.run(605)
    world.submit("second")
    world.run(30)
    assert reason_of(world, "second") is ReasonCode.WAITS_FOR_CAPACITY
    assert attempts(world) == 1


def test_a_shortage_is_forgotten_when_no_job_has_tried_for_a_day() -> None:
    world = SimulatedQueue(budget=f"{KIND}=2")
    a_drought(world)
    world.submit("first")
    world.run(5)
    world.control.cancel("first", ADA)
    world.simulation.run(25 * 3600)
    a_drought(world, fails_after=inf)
    world.submit("second")
    world.submit("third")
    world.run(30)
    assert len(without_instances(world)) == 2


def test_jobs_of_another_type_or_on_demand_are_not_kept_waiting() -> None:
    world = SimulatedQueue(budget=f"{KIND}=2,{OTHER}=1", durations={"spot": 3600})
    a_drought(world, fails_after=inf)
    world.submit("spot", **SPOT)
    world.run(605)
    rain(world)
    world.submit("other", kind=OTHER)
    world.submit("plain")
    world.run(10)
    assert {world.job(name).status.state for name in ("other", "plain")} == {JobState.RUNNING}


def test_an_attempt_of_several_instances_is_sent_to_one_subnet_and_the_next_one_to_another() -> None:
    world = SimulatedQueue(budget=f"{KIND}=2")
    a_drought(world)
    network = {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1", "subnet-2"]}
    world.submit("wide", instances=2, VpcConfig=network)
    world.run(20)
    chosen = [job.request["VpcConfig"]["Subnets"] for job in world.simulation.machine.jobs.values()]
    assert chosen == [["subnet-1"], ["subnet-2"]]
    assert {known.location for known in world.store.capacity_memory.shortages} == {
        Location(KIND, subnet="subnet-1"),
        Location(KIND, subnet="subnet-2"),
    }


def test_a_single_instance_keeps_all_its_subnets() -> None:
    world = SimulatedQueue()
    network = {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1", "subnet-2"]}
    world.submit("narrow", VpcConfig=network)
    world.run(10)
    (attempt,) = world.simulation.machine.jobs.values()
    assert attempt.request["VpcConfig"] == network


@pytest.mark.parametrize("text", ["InsufficientInstanceCapacity", "Unable to provision requested ML compute capacity"])
def test_a_script_that_writes_of_a_shortage_makes_no_other_job_wait(text: str) -> None:
    world = SimulatedQueue(budget=f"{KIND}=2")
    world.submit("liar")
    world.run(120)
    world.simulation.fail("liar-sq-1", f"AlgorithmError: {text}, exit code: 1")
    world.run(10)
    assert world.job("liar").status.state is JobState.FAILED
    assert world.store.capacity().shortages == ()
    world.submit("other")
    world.run(120)
    assert world.job("other").status.state is JobState.RUNNING
