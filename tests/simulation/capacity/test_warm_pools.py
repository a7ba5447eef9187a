"""Warm pools hold budget until SageMaker reports their end, and are released when a job needs their instances."""

from dataclasses import replace
from typing import Any

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from scheduler.errors.internal import OutcomeUnknown, Refused
from support.account.simulated_queue import SimulatedQueue, request
from support.builders.pool_rules import pool_rules
from support.faults.scripted_faults import ScriptedCalls, does_nothing, takes_effect_and_times_out

TYPE = "ml.m5.large"
REUSE = pool_rules(TYPE, "reuse", keep="60m")


def keeping(world: SimulatedQueue, name: str, priority: int = 0, *, seconds: int = 1800, instances: int = 1) -> None:
    """Submit a job that keeps its instances beyond its end."""
    resources = request(name, instances=instances)["ResourceConfig"] | {"KeepAlivePeriodInSeconds": seconds}
    world.submit(name, priority, ResourceConfig=resources)


def with_a_pool(**more: Any) -> SimulatedQueue:
    """One instance of budget, which a warm pool holds."""
    world = SimulatedQueue(
        **{"budget": f"{TYPE}=1", "durations": {"warm": 60}, "configuration": {"pools": REUSE}} | more
    )
    keeping(world, "warm")
    world.run(400)
    assert pools(world) == {"warm-sq-1": "Available"}
    return world


def pools(world: SimulatedQueue) -> dict[str, str]:
    jobs = world.simulation.machine.jobs.values()
    return {job.name: job.warm_pool.status for job in jobs if job.warm_pool}


def updates(world: SimulatedQueue) -> list[str]:
    sent: list[str] = []
    event = "provide-client-params.sagemaker.UpdateTrainingJob"
    world.client.meta.events.register(event, lambda params, **_: sent.append(params["TrainingJobName"]))
    return sent


def test_a_job_ends_at_once_and_its_pool_holds_the_budget() -> None:
    world = with_a_pool()
    assert world.job("warm").status.state is JobState.COMPLETED
    assert (list(world.store.attempts), list(world.store.warm_pools)) == ([], ["warm-sq-1"])
    assert world.queue.snapshot_reader.observe().held.as_dict() == {TYPE: 1}


def test_a_sweep_finds_the_counts_right(caplog: pytest.LogCaptureFixture) -> None:
    with_a_pool().cycle(sweep=True)
    assert "recount" not in caplog.messages


def test_an_unneeded_pool_is_kept_to_its_end() -> None:
    world = with_a_pool()
    sent = updates(world)
    world.run(1200)
    assert pools(world) == {"warm-sq-1": "Available"}
    world.run(900)
    assert (pools(world), world.store.warm_pools, sent) == ({"warm-sq-1": "Terminated"}, {}, [])


def test_a_pool_goes_when_a_job_needs_its_instances() -> None:
    world = with_a_pool()
    world.submit("next")
    world.run(60)
    assert (world.job("next").status.state, world.store.warm_pools) == (JobState.RUNNING, {})


def test_no_more_pools_go_than_are_needed() -> None:
    world = SimulatedQueue(configuration={"pools": REUSE}, budget=f"{TYPE}=3", durations={"a": 60, "b": 60, "c": 60})
    for name in "abc":
        keeping(world, name)
    world.run(400)
    world.submit("next", instances=2)
    world.run(60)
    assert sorted(pools(world).values()) == ["Available", "Terminated", "Terminated"]


def test_a_preempted_job_leaves_its_pool_and_no_other_is_stopped() -> None:
    world = SimulatedQueue(
        configuration={"pools": REUSE}, budget=f"{TYPE}=2", durations={"low1": 9000, "low2": 9000, "urgent": 600}
    )
    for name in ("low1", "low2"):
        keeping(world, name)
    world.run(300)
    world.submit("urgent", 5)
    world.run(300)
    assert world.job("urgent").status.state is JobState.RUNNING
    assert sorted(world.job(name).status.preemptions for name in ("low1", "low2")) == [0, 1]
    world.run_until_empty()


def test_a_job_that_sagemaker_starts_on_a_pool_counts_once() -> None:
    world = with_a_pool(budget=f"{TYPE}=2", durations={"warm": 60, "next": 9000, "third": 60})
    keeping(world, "next")
    world.run(120)
    assert pools(world) == {"warm-sq-1": "Reused", "next-sq-1": "InUse"}
    assert world.queue.snapshot_reader.observe().held.as_dict() == {TYPE: 1}
    world.submit("third")
    world.run(60)
    assert world.job("third").status.state is JobState.RUNNING


def test_a_job_that_waits_finds_out_that_a_pool_was_taken_over() -> None:
    world = with_a_pool(budget=f"{TYPE}=2", durations={"warm": 60, "next": 9000, "third": 60})
    keeping(world, "next")
    world.submit("third")
    world.run(30)
    assert [world.job(name).status.state for name in ("next", "third")] == [JobState.RUNNING] * 2


@pytest.mark.parametrize("treatment", [does_nothing, takes_effect_and_times_out], ids=["no effect", "no answer"])
def test_a_release_that_is_lost_is_sent_again(treatment: Any) -> None:
    world = with_a_pool(wrapped_port="training", fault_point=ScriptedCalls("release_pool", [treatment]))
    world.submit("next")
    world.run(130)
    assert world.job("next").status.state is JobState.RUNNING


def may_not_update(_call: Any, *_args: Any) -> None:
    raise Refused("AccessDeniedException: sagemaker:UpdateTrainingJob")


def test_a_pool_that_may_not_be_released_is_waited_for() -> None:
    world = with_a_pool(wrapped_port="training", fault_point=ScriptedCalls("release_pool", [may_not_update] * 1000))
    world.submit("next")
    world.run(600)
    assert world.job("next").status.state is JobState.PENDING
    world.run_until_empty()


def is_not_answered(_call: Any, *_args: Any) -> None:
    raise OutcomeUnknown


def test_a_pool_of_which_nothing_is_known_holds_the_budget() -> None:
    world = with_a_pool(wrapped_port="training", fault_point=ScriptedCalls("pool", []))
    world.scheduler.services.training._inner.script = [is_not_answered] * 5  # type: ignore[attr-defined] # the Scripted above
    world.submit("next")
    world.run(60)
    assert (world.job("next").status.state, list(world.store.warm_pools)) == (JobState.PENDING, ["warm-sq-1"])
    world.run_until_empty()


def test_pools_go_before_jobs_when_the_budget_is_shrunk() -> None:
    world = with_a_pool(budget=f"{TYPE}=2", durations={"warm": 60, "running": 900})
    world.submit("running")
    world.run(60)
    budget = Budget.parse(f"{TYPE}=1")
    world.store.write(replace(world.store.read(), budget=budget, stop_over_budget=True), by="api")
    world.run(120)
    assert (pools(world)["warm-sq-1"], world.job("running").status.state) == ("Terminated", JobState.RUNNING)
