"""Operators change settings while the scheduler runs."""

from dataclasses import replace
from typing import Any

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from scheduler.cycle import sweep
from scheduler.cycle.scheduler import Scheduler
from support.account.simulated_queue import ADA, SimulatedQueue
from support.builders.configurations import a_stack
from support.faults.scripted_faults import ScriptedCalls


def set_budget(world: SimulatedQueue, text: str) -> None:
    world.store.write(replace(world.store.read(), budget=Budget.parse(text)), by="api")


def states(world: SimulatedQueue) -> dict[str, JobState]:
    return {name: job.status.state for name, job in world.store.jobs.items()}


def test_a_budget_grown_by_the_operator_starts_what_waits() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1")
    for name in ("one", "two"):
        world.submit(name)
    world.run(30)
    assert states(world) == {"one": JobState.RUNNING, "two": JobState.PENDING}
    set_budget(world, "ml.m5.large=2")
    world.run(30)
    assert states(world) == {"one": JobState.RUNNING, "two": JobState.RUNNING}


def test_a_budget_below_what_runs_stops_nothing_and_launches_nothing_until_it_fits() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", durations={"short": 300, "long": 3000})
    for name in ("short", "long"):
        world.submit(name, priority=1)
    world.submit("next")
    world.run(30)
    set_budget(world, "ml.m5.large=1")
    world.run(600)
    assert states(world) == {"short": JobState.COMPLETED, "long": JobState.RUNNING, "next": JobState.PENDING}
    world.run(3000)
    assert states(world) == {"short": JobState.COMPLETED, "long": JobState.COMPLETED, "next": JobState.RUNNING}


def test_jobs_are_stopped_for_a_shrunk_budget_if_the_operator_says_so_and_come_back() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", durations={"high": 3000, "low": 900})
    world.submit("high", priority=1)
    world.submit("low")
    world.run(60)
    world.store.write(
        replace(world.store.read(), budget=Budget.parse("ml.m5.large=1"), stop_over_budget=True), by="api"
    )
    world.run(300)
    assert states(world) == {"high": JobState.RUNNING, "low": JobState.PREEMPTED}
    world.store.write(replace(world.store.read(), budget=None), by="api")
    world.run(60)
    assert states(world) == {"high": JobState.RUNNING, "low": JobState.RUNNING}


def test_jobs_that_exceed_an_operators_budget_wait_until_it_is_taken_back() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2")
    set_budget(world, "ml.m5.large=0")
    world.submit("one")
    world.run(300)
    assert states(world) == {"one": JobState.PENDING}
    world.store.write(replace(world.store.read(), budget=None), by="api")
    world.run(60)
    assert states(world) == {"one": JobState.RUNNING}


def test_jobs_that_were_parked_for_the_budget_come_back_when_it_has_grown() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2")
    set_budget(world, "ml.m5.large=4")
    world.submit("wide", instances=4)
    world.submit("kept", instances=4)
    world.control.hold("kept", ADA)
    world.store.write(replace(world.store.read(), budget=Budget.parse("ml.m5.large=3")), by="api")
    world.run(60)
    assert states(world) == {"wide": JobState.PARKED, "kept": JobState.HELD}
    set_budget(world, "ml.m5.large=4")
    world.run(180)
    assert states(world) == {"wide": JobState.RUNNING, "kept": JobState.HELD}


def test_jobs_that_were_parked_for_the_budget_come_back_after_a_deployment_with_a_larger_one() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4", durations={"long": 100_000})
    world.submit("long", instances=1)
    world.run(30)
    world.submit("wide", instances=4)
    deploy(world, "ml.m5.large=2")
    world.run(180)
    assert states(world) == {"long": JobState.RUNNING, "wide": JobState.PARKED}
    deploy(world, "ml.m5.large=8")
    world.run(180)
    assert states(world) == {"long": JobState.RUNNING, "wide": JobState.RUNNING}


def test_a_parked_job_that_fits_again_comes_back_from_behind_many_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "MAX_PARKED_PER_SWEEP", 2)
    world = SimulatedQueue(budget="ml.m5.large=2")
    set_budget(world, "ml.m5.large=4")
    wide = [f"wide{number}" for number in range(4)]
    for name in wide:
        world.submit(name, priority=1, instances=4)
    world.submit("narrow", instances=3)
    set_budget(world, "ml.m5.large=2")
    world.run(60)
    assert states(world) == dict.fromkeys([*wide, "narrow"], JobState.PARKED)
    set_budget(world, "ml.m5.large=3")
    world.run(240)
    assert states(world) == {**dict.fromkeys(wide, JobState.PARKED), "narrow": JobState.RUNNING}


def test_an_eviction_leaves_out_a_job_whose_data_cause_an_error() -> None:
    script = ScriptedCalls("describe", [])
    world = SimulatedQueue(budget="ml.m5.large=1", wrapped_port="training", fault_point=script)
    world.submit("odd")
    world.run(60)
    world.simulation.run(1200)  # it ends while no cycle runs
    world.store.write(
        replace(world.store.read(), budget=Budget.parse("ml.m5.large=0"), stop_over_budget=True), by="api"
    )
    script.script = [is_odd]
    world.cycle()
    assert (script.script, states(world)) == ([], {"odd": JobState.RUNNING})
    world.run(60)
    assert states(world) == {"odd": JobState.COMPLETED}
    assert not world.job("odd").options.never_preempt


def is_odd(_call: Any, *_args: Any) -> None:
    raise ValueError("unexpected data")


def deploy(world: SimulatedQueue, budget: str) -> None:
    """The stack with another parameter."""
    world.budget = budget
    services = world.scheduler.services
    reader = replace(services.configuration, stack=a_stack(budget))
    snapshot_reader = replace(services.snapshot_reader, configuration=reader)
    world.scheduler = Scheduler(replace(services, snapshot_reader=snapshot_reader))
