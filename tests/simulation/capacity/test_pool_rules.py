"""Warm pools under operators' rules: which job reuses a pool, the sent keep-alive period, and its confirmation."""

from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.state_machine import machine
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.job import matching_key
from local_sagemaker.state_machine.limits import Quotas
from scheduler.adapters.aws.sagemaker.training import SageMakerTraining
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.errors.internal import Throttled
from simulation.capacity.test_warm_pools import REUSE, TYPE, keeping, pools, updates, with_a_pool
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.pool_rules import pool_rules
from support.faults.scripted_faults import ScriptedCalls, takes_effect_and_times_out

HOLD = pool_rules(TYPE, "hold", keep="10m", dollars=1.0)


def sent(world: SimulatedQueue, name: str) -> int:
    """The KeepAlivePeriodInSeconds of a training job."""
    job = world.simulation.machine.jobs[name]
    return job.keep_alive_seconds


def test_a_job_that_fits_starts_on_the_pool_of_a_full_budget() -> None:
    world = with_a_pool(durations={"warm": 60, "next": 600})
    keeping(world, "next")
    world.run(20)
    assert pools(world) == {"warm-sq-1": "Reused", "next-sq-1": "InUse"}
    assert (world.job("next").status.state, list(world.store.warm_pools)) == (JobState.RUNNING, [])


def test_the_reuse_is_written_down_when_sagemaker_says_so() -> None:
    world = with_a_pool(durations={"warm": 60, "next": 60})
    keeping(world, "next")
    world.run_until_empty()
    assert world.job("next").status.history[-1].on_pool == "warm-sq-1"
    assert world.job("warm").status.history[-1].on_pool == ""


def test_a_job_that_differs_in_one_field_does_not_start_there() -> None:
    world = with_a_pool(durations={"warm": 60, "next": 60})
    resources = request("next")["ResourceConfig"] | {"KeepAlivePeriodInSeconds": 1800, "VolumeSizeInGB": 2}
    world.submit("next", ResourceConfig=resources)
    world.run_until_empty()
    assert pools(world)["warm-sq-1"] == "Terminated"
    assert world.job("next").status.history[-1].on_pool == ""


def test_a_preemption_for_a_job_that_fits_keeps_the_pool() -> None:
    world = SimulatedQueue(configuration={"pools": REUSE}, budget=f"{TYPE}=1", durations={"low": 9000, "urgent": 600})
    keeping(world, "low")
    world.run(300)
    released = updates(world)
    keeping(world, "urgent", 5)
    world.run(120)
    assert (world.job("urgent").status.state, pools(world)["low-sq-1"], released) == (JobState.RUNNING, "Reused", [])
    world.run_until_empty()


def test_one_that_fits_goes_before_an_equal_that_has_just_come() -> None:
    world = with_a_pool(durations={"warm": 60, "other": 60, "next": 600})
    world.scheduler.services.snapshot_reader.controls.write(world.store.read(), by="schedule")
    world.submit("other")
    keeping(world, "next")
    world.cycle()
    assert [world.job(name).status.state for name in ("next", "other")] == [JobState.RUNNING, JobState.PENDING]
    world.run_until_empty()


def test_without_rules_no_pool_is_asked_for() -> None:
    world = SimulatedQueue(budget=f"{TYPE}=1", durations={"warm": 60})
    keeping(world, "warm")
    world.run(400)
    assert (sent(world, "warm-sq-1"), pools(world)) == (0, {})


def test_a_rule_bounds_what_a_user_asks_for() -> None:
    world = SimulatedQueue(configuration={"pools": pool_rules(TYPE, "reuse", keep="5m")}, durations={"warm": 60})
    keeping(world, "warm", seconds=1800)
    world.run(60)
    assert sent(world, "warm-sq-1") == 300


def test_a_hold_rule_keeps_unrequested_pools_up_to_its_caps() -> None:
    world = SimulatedQueue(configuration={"pools": HOLD}, budget=f"{TYPE}=1", durations={"first": 60, "second": 60})
    world.submit("first")
    world.run(30)
    world.submit("second")
    world.run_until_empty()
    assert (sent(world, "first-sq-1"), pools(world)["first-sq-1"]) == (600, "Reused")
    assert world.job("second").status.history[-1].on_pool == "first-sq-1"
    dear = SimulatedQueue(
        configuration={"pools": pool_rules(TYPE, "hold", keep="60m", dollars=0.0115)}, durations={"first": 60}
    )
    dear.submit("first")
    dear.run(30)
    assert sent(dear, "first-sq-1") == 360  # a tenth of what an hour costs


def test_what_a_pool_was_billed_for_is_noted_with_its_job() -> None:
    world = with_a_pool(durations={"warm": 60})
    world.run(3000)
    warm = world.job("warm")
    assert (warm.status.history[-1].retained_seconds, warm.status.history[-1].retained_reported_in) == (
        1800,
        warm.version,
    )


def test_where_the_account_may_keep_no_pool_the_attempt_says_so_and_nothing_is_held() -> None:
    no_pools = Behaviour(quotas=Quotas(warm_pool={TYPE: 0}))
    world = SimulatedQueue(
        configuration={"pools": REUSE}, budget=f"{TYPE}=1", durations={"warm": 60}, behaviour=no_pools
    )
    keeping(world, "warm")
    world.run(400)
    assert "ask AWS to raise the quota for training warm pool usage" in world.job("warm").status.history[-1].action
    assert (pools(world), world.store.warm_pools) == ({"warm-sq-1": "Terminated"}, {})


def test_a_pool_that_ended_in_time_is_no_sign_of_a_missing_quota() -> None:
    world = with_a_pool()
    world.run(3000)
    assert world.job("warm").status.history[-1].action == ""


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A SageMaker that starts everything on new instances, whatever fits."""
    monkeypatch.setattr(machine, "find_pool", lambda *_: None)


@pytest.mark.usefixtures("blind")
def test_a_pool_that_no_job_reused_holds_the_budget_again_and_is_released(caplog: Any) -> None:
    world = with_a_pool(durations={"warm": 60, "next": 600})
    world._check_invariants = lambda: None  # type: ignore[method-assign]  # for once SageMaker holds more than planned
    keeping(world, "next")
    world.run(20)
    assert world.queue.snapshot_reader.observe().held.as_dict() == {TYPE: 1}
    world.run(120)
    assert ("pool not taken over" in caplog.messages, pools(world)["warm-sq-1"]) == (True, "Terminated")
    world.run(120)
    assert (world.store.warm_pools, world.queue.snapshot_reader.observe().held.as_dict()) == ({}, {TYPE: 1})


def takes_the_last(request: dict[str, Any], jobs: Any) -> Any:
    found = [job for job in jobs if job.has_waiting_pool and matching_key(job.request) == matching_key(request)]
    return found[-1] if found else None


def test_of_two_pools_alike_sagemaker_may_take_either(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    world = SimulatedQueue(
        configuration={"pools": REUSE}, budget=f"{TYPE}=2", durations={"a": 60, "b": 60, "next": 600, "last": 60}
    )
    keeping(world, "a")
    keeping(world, "b")
    world.run(400)
    monkeypatch.setattr(machine, "find_pool", takes_the_last)
    keeping(world, "next")
    world.run(130)
    assert {name: pool.lent_to for name, pool in world.store.warm_pools.items()} == {"a-sq-1": ""}
    assert ("pool not taken over" in caplog.messages, pools(world)["a-sq-1"]) == (False, "Available")
    assert world.queue.snapshot_reader.observe().held.as_dict() == {TYPE: 2}


@pytest.mark.parametrize("seconds", [130, 190, 250, 310])  # each cycle polls pools in another order
def test_a_loan_moves_to_the_other_pool_that_is_polled_only_later(
    seconds: int, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    world = SimulatedQueue(
        configuration={"pools": REUSE}, budget=f"{TYPE}=2", durations={"a": 60, "b": 60, "next": 900}
    )
    keeping(world, "a")
    keeping(world, "b")
    world.run(400)
    monkeypatch.setattr(machine, "find_pool", takes_the_last)
    with monkeypatch.context() as patches:
        patches.setattr(SageMakerTraining, "pool", throttled)
        keeping(world, "next")
        world.run(seconds)
        assert world.store.warm_pools["a-sq-1"].lent_to == "next-sq-1"
    world.run(130)
    assert {name: pool.lent_to for name, pool in world.store.warm_pools.items()} == {"a-sq-1": ""}
    assert "pool not taken over" not in caplog.messages
    assert world.queue.snapshot_reader.observe().held.as_dict() == {TYPE: 2}


def test_the_pool_of_an_end_noticed_late_may_be_taken_over_already(monkeypatch: pytest.MonkeyPatch) -> None:
    durations = {"a": 60, "b": 400, "next": 600, "last": 60}
    world = SimulatedQueue(configuration={"pools": REUSE}, budget=f"{TYPE}=2", durations=durations)
    keeping(world, "a")
    keeping(world, "b")
    world.run_until(lambda: "a-sq-1" in world.store.warm_pools)
    world.deliver_events = False
    world.simulation.run(600)  # without a cycle
    monkeypatch.setattr(machine, "find_pool", takes_the_last)
    keeping(world, "next")
    world.cycle()
    assert (world.store.warm_pools["a-sq-1"].lent_to, pools(world)["b-sq-1"]) == ("next-sq-1", "Reused")
    world.submit("last", ResourceConfig=request("last")["ResourceConfig"] | {"VolumeSizeInGB": 2})  # fits no pool
    world.control.cancel("b", caller=ADA)  # the stop finds out that it has ended
    world.run_until_empty()
    left = world.simulation.machine.jobs["b-sq-1"].warm_pool
    assert left is not None
    assert world.job("b").status.history[-1].retained_seconds == left.retained_seconds


def test_a_loan_stays_while_its_taker_runs_on_the_pool_of_an_unnoticed_end(
    monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    world = SimulatedQueue(
        configuration={"pools": REUSE}, budget=f"{TYPE}=2", durations={"a": 60, "b": 400, "next": 900}
    )
    keeping(world, "a")
    keeping(world, "b")
    world.run_until(lambda: "a-sq-1" in world.store.warm_pools)
    world.deliver_events = False
    world.simulation.run(600)  # without a cycle
    monkeypatch.setattr(machine, "find_pool", takes_the_last)
    keeping(world, "next")
    with monkeypatch.context() as patches:
        patches.setattr(SageMakerTraining, "describe", throttled)
        world.cycle()
        world.run(200)
        assert (world.store.warm_pools["a-sq-1"].lent_to, pools(world)["b-sq-1"]) == ("next-sq-1", "Reused")
        assert world.queue.snapshot_reader.observe().held.as_dict() == {TYPE: 2}
    world.run_until_empty()
    assert "pool not taken over" not in caplog.messages
    assert world.job("next").status.history[-1].on_pool == "b-sq-1"


def throttled(*_: Any) -> None:
    raise Throttled


def creates(world: SimulatedQueue) -> list[dict[str, Any]]:
    """Collects the requests of CreateTrainingJob from now on."""
    sent: list[dict[str, Any]] = []
    event = "provide-client-params.sagemaker.CreateTrainingJob"
    world.client.meta.events.register(event, lambda params, **_: sent.append(params))
    return sent


def test_a_keep_alive_that_the_queue_added_and_create_refuses_costs_one_more_create_a_day() -> None:
    shorter = Behaviour(unknowns=Unknowns(longest_keep_alive_seconds=300))
    rules = pool_rules(TYPE, "hold", keep="10m")
    world = SimulatedQueue(configuration={"pools": rules}, budget=f"{TYPE}=3", behaviour=shorter)
    requests = creates(world)
    world.submit("first")
    world.run(60)
    world.submit("second")
    world.run(60)
    assert [world.job(name).status.state for name in ("first", "second")] == [JobState.RUNNING, JobState.RUNNING]
    kept = [request["ResourceConfig"].get("KeepAlivePeriodInSeconds") for request in requests]
    assert kept == [600, None, None]
    (action,) = world.job("first").status.actions
    assert (action.kind, action.message) == (
        "keep_alive_dropped",
        "SageMaker refused KeepAlivePeriodInSeconds, 600, which a rule for pools had set",
    )
    world.run(25 * 3600)
    world.submit("third")
    world.run(60)
    assert len(requests) == 5
    world.run_until_empty()


def test_a_keep_alive_that_the_user_asked_for_is_refused_as_by_sagemaker() -> None:
    shorter = Behaviour(unknowns=Unknowns(longest_keep_alive_seconds=300))
    world = SimulatedQueue(configuration={"pools": REUSE}, budget=f"{TYPE}=3", behaviour=shorter)
    keeping(world, "asked")
    world.run(60)
    assert world.job("asked").status.state is JobState.FAILED
    assert world.job("asked").status.actions == ()


def test_another_refusal_than_of_the_keep_alive_is_final_and_remembered_of_no_type() -> None:
    world = SimulatedQueue(configuration={"pools": HOLD}, budget=f"{TYPE}=3")
    requests = creates(world)
    world.submit("wrong")
    world.client.meta.events.register("before-call.sagemaker.CreateTrainingJob", refuse)
    world.run(60)
    assert (world.job("wrong").status.state, len(requests)) == (JobState.FAILED, 2)
    assert world.job("wrong").status.actions == ()
    assert world.store.capacity().refused_pools == ()


def test_a_create_without_keep_alive_whose_answer_is_lost_is_sent_again_alike() -> None:
    sent: list[tuple[Attempt, Job]] = []

    def takes_long(create: Any, *request: Any) -> None:
        world.simulation.run(20)
        create(*request)

    def is_seen_and_lost(create: Any, *request: Any) -> None:
        sent.append((world.store.attempts["job-sq-1"], world.job("job")))
        takes_effect_and_times_out(create, *request)

    world = SimulatedQueue(
        configuration={"pools": pool_rules(TYPE, "hold", keep="10m")},
        behaviour=Behaviour(unknowns=Unknowns(longest_keep_alive_seconds=300)),
        wrapped_port="training",
        fault_point=ScriptedCalls("create", [takes_long, is_seen_and_lost]),
    )
    world.submit("job")
    world.run(60)
    ((attempt, job),) = sent
    assert (attempt.keep_alive, attempt.last_sent_at - attempt.reserved_at) == (0, timedelta(seconds=20))
    assert job.status.actions == ()
    attempt = world.store.attempts["job-sq-1"]
    assert (attempt.keep_alive, attempt.created) == (0, True)
    assert [action.kind for action in world.job("job").status.actions] == ["keep_alive_dropped"]
    assert [refused.instance_type for refused in world.store.capacity().refused_pools] == [TYPE]


def refuse(**_: Any) -> None:
    answer: Any = {
        "Error": {"Code": "ValidationException", "Message": "no"},
        "ResponseMetadata": {"HTTPStatusCode": 400},
    }
    raise ClientError(answer, "CreateTrainingJob")
