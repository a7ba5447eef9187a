"""Failures and spot interruptions on the emulated SageMaker."""

from math import inf
from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.capacity import Shortage
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR
from scheduler.core.history.notices import NoticeKind
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.requests.attempt_request import ATTEMPT_TAG
from support.account.simulated_queue import ADA, SimulatedQueue
from support.builders.configurations import UNREADABLE
from support.builders.rules import a_rule, rule_set

SPOT: dict[str, Any] = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 86_400, "MaxWaitTimeInSeconds": 90_000},
}
LEAVES_SPOT: dict[str, Any] = {"leaving_spot": {"wait": "1h"}}
STAYS_ON_SPOT: dict[str, Any] = {"leaving_spot": {"allowed": False}}


def request_of(world: SimulatedQueue, attempt: str) -> dict[str, Any]:
    return world.simulation.machine.jobs[attempt].request


def start(world: SimulatedQueue, name: str = "resnet", **more: Any) -> str:
    world.submit(name, **more)
    world.run(120)
    return f"{name}-sq-1"


@pytest.mark.parametrize("events", [True, False], ids=["events", "sweeps only"])
def test_an_internal_error_is_followed_by_another_attempt_on_the_same_checkpoints(events: bool) -> None:
    world = SimulatedQueue(durations={"resnet": 3600}, deliver_events=events)
    first = start(world)
    world.simulation.fail(first, INTERNAL_ERROR)
    world.run_until_empty()
    job = world.job("resnet")
    assert [past.outcome for past in job.status.history] == [Outcome.FAILED, Outcome.COMPLETED]
    before, again = request_of(world, first), request_of(world, "resnet-sq-2")
    assert again["CheckpointConfig"] == before["CheckpointConfig"]
    assert world.simulation.machine.jobs["resnet-sq-2"].tags[ATTEMPT_TAG].startswith("2-")


def test_a_job_that_backs_off_delays_no_other_and_starts_when_it_is_due() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"resnet": 3600, "other": 600})
    first = start(world, priority=5)
    world.submit("other")
    world.simulation.fail(first, INTERNAL_ERROR)
    world.run(10)
    assert world.job("other").status.state is JobState.RUNNING
    assert world.queries.get("resnet", ADA)[0].reason.code is ReasonCode.BACKING_OFF
    world.run_until_empty()
    assert world.job("resnet").status.state is JobState.COMPLETED


def test_a_user_error_is_not_tried_again() -> None:
    world = SimulatedQueue(crashing=["resnet"])
    world.submit("resnet")
    world.run_until_empty()
    job = world.job("resnet")
    assert (job.status.state, job.status.attempts) == (JobState.FAILED, 1)
    assert job.status.history[-1].action.startswith("given up")


def test_broken_hardware_in_the_log_is_retried() -> None:
    world = SimulatedQueue(durations={"resnet": 3600}, crashing=["resnet"])
    world.logs.lines["resnet-sq-1"] = ["epoch 7", "RuntimeError: uncorrectable ECC error encountered"]
    world.submit("resnet")
    world.run_until_empty()
    job = world.job("resnet")
    assert [past.failure_class for past in job.status.history] == [FailureClass.HARDWARE, FailureClass.USER]
    assert job.status.history[0].action == "cause found in the log: retried after 60 seconds"


def test_a_class_of_failures_may_be_worth_a_retry_only_after_hours_of_training() -> None:
    world = SimulatedQueue(durations={"short": 1800, "long": 9000}, crashing=["short", "long"])
    world.configure(retries={"treatments": {"user": {"retries": 1, "after_training": "2h"}}})
    for name in ("short", "long"):
        world.submit(name)
    world.run_until_empty()
    assert (world.job("short").status.attempts, world.job("long").status.attempts) == (1, 2)
    assert world.job("short").status.history[-1].action == "given up: it trained for less than 7200 seconds"


def test_the_owner_is_notified_of_a_retry_without_sagemakers_words() -> None:
    world = SimulatedQueue(durations={"resnet": 3600})
    first = start(world)
    world.simulation.fail(first, "CapacityError: s3cret")
    world.run(10)
    (notice,) = (notice for notice in world.notices.sent if notice.kind is NoticeKind.RETRIED)
    assert notice.reason == "resnet-sq-1 failed (capacity): retried after 60 seconds."
    assert not [notice for notice in world.notices.sent if "s3cret" in notice.reason]


def test_a_cancel_wins_over_a_retry() -> None:
    world = SimulatedQueue()
    first = start(world)
    world.simulation.fail(first, INTERNAL_ERROR)
    world.run(10)
    world.control.cancel("resnet", ADA)
    world.run(3600)
    assert (world.job("resnet").status.state, world.job("resnet").status.attempts) == (JobState.STOPPED, 1)


def interrupt(world: SimulatedQueue, attempt: str, times: int) -> None:
    for _ in range(times):
        world.run(300)
        if world.simulation.machine.jobs[attempt].status == "InProgress":
            world.simulation.interrupt(attempt)
    world.run(300)


def test_a_spot_job_that_is_interrupted_three_times_continues_on_demand_by_default() -> None:
    world = SimulatedQueue(durations={"resnet": 7200})
    first = start(world, **SPOT, Tags=[{"Key": "queue:checkpoint-interval", "Value": "400"}])
    interrupt(world, first, times=2)
    assert world.job("resnet").status.attempts == 1
    interrupt(world, first, times=1)
    world.run_until_empty()
    job = world.job("resnet")
    assert (job.status.state, job.status.on_demand) == (JobState.COMPLETED, True)
    assert [past.outcome for past in job.status.history] == [Outcome.LEFT_SPOT, Outcome.COMPLETED]
    on_spot, on_demand = job.status.history
    assert (on_spot.spot, on_demand.spot, on_demand.interrupted_seconds) == (True, False, 0)
    # Half an interval of training before each interruption, and the waits for other instances.
    assert on_spot.interrupted_seconds is not None
    assert on_spot.interrupted_seconds > 3 * 200
    again = request_of(world, "resnet-sq-2")
    assert again["EnableManagedSpotTraining"] is False
    assert "MaxWaitTimeInSeconds" not in again["StoppingCondition"]
    assert world.store.request("resnet")["EnableManagedSpotTraining"] is True


@pytest.mark.parametrize("rules", [[], [a_rule("spot", use="required")]], ids=["forbidden", "against a rule"])
def test_a_spot_job_stays_on_spot_where_the_cost_is_not_allowed(rules: list[dict[str, Any]]) -> None:
    world = SimulatedQueue(durations={"resnet": 7200})
    world.configure(rules=rule_set(*rules), retries=LEAVES_SPOT if rules else STAYS_ON_SPOT)
    first = start(world, **SPOT)
    interrupt(world, first, times=5)
    world.run_until_empty()
    assert (world.job("resnet").status.attempts, world.job("resnet").status.on_demand) == (1, False)


def test_a_spot_job_stays_on_spot_while_the_configuration_is_unreadable() -> None:
    world = SimulatedQueue(durations={"resnet": 7200})
    first = start(world, **SPOT)
    world.config_store.versions = {1: UNREADABLE}
    interrupt(world, first, times=5)
    assert world.simulation.machine.jobs[first].status == "InProgress"
    assert not world.job("resnet").status.on_demand


def test_a_spot_job_that_gets_no_instances_continues_on_demand() -> None:
    world = SimulatedQueue(behaviour=Behaviour(startup=lambda _: None))
    world.configure(retries=LEAVES_SPOT)
    world.submit("resnet", **SPOT)
    world.run_until(lambda: world.job("resnet").status.attempts == 2)
    assert world.job("resnet").status.history[-1].outcome is Outcome.LEFT_SPOT
    assert world.job("resnet").status.on_demand


def test_a_spot_job_that_gets_no_instances_waits_for_days_by_default() -> None:
    world = SimulatedQueue(behaviour=Behaviour(startup=lambda _: None))
    patient = {"MaxRuntimeInSeconds": 600, "MaxWaitTimeInSeconds": 7 * 86_400}
    world.submit("resnet", **{**SPOT, "StoppingCondition": patient})
    world.run(2 * 86_400)
    assert (world.job("resnet").status.state, world.job("resnet").status.on_demand) == (JobState.RUNNING, False)


def test_a_spot_job_that_gets_no_instances_back_after_an_interruption_continues_on_demand() -> None:
    world = SimulatedQueue(durations={"resnet": 7200})
    world.configure(retries=LEAVES_SPOT)
    first = start(world, **SPOT)
    world.run(600)
    world.simulation.machine.set_shortage("ml.m5.large", Shortage(inf), world.simulation.now)
    world.simulation.interrupt(first)
    world.run(3600)
    assert world.job("resnet").status.attempts == 1
    world.run_until(lambda: world.job("resnet").status.history != (), limit=600)
    assert (world.job("resnet").status.history[-1].outcome, world.job("resnet").status.on_demand) == (
        Outcome.LEFT_SPOT,
        True,
    )


def test_a_spot_job_that_trains_for_long_after_an_interruption_stays() -> None:
    world = SimulatedQueue(durations={"resnet": 9000})
    world.configure(retries=LEAVES_SPOT)
    first = start(world, **SPOT)
    world.run(600)
    world.simulation.interrupt(first)
    world.run_until_empty()
    assert (world.job("resnet").status.attempts, world.job("resnet").status.on_demand) == (1, False)


def test_a_spot_job_that_sagemaker_stopped_at_its_wait_limit_continues_on_demand() -> None:
    world = SimulatedQueue(behaviour=Behaviour(startup=lambda _: None))
    world.configure(retries=LEAVES_SPOT)
    short = {"MaxRuntimeInSeconds": 600, "MaxWaitTimeInSeconds": 900}
    world.submit("resnet", **{**SPOT, "StoppingCondition": short})
    world.run_until(lambda: world.job("resnet").status.attempts == 2)
    assert world.job("resnet").status.history[-1].action == "continues on demand"
