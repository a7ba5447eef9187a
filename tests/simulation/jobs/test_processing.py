"""Processing jobs in the queue, on a simulated SageMaker, beside training jobs on instances of the same type."""

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.processing.job import ProcessingJob
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.processing_requests import a_processing_request

BUDGET = "ml.m5.large=1,ml.m5.large@processing=2"
RESTARTS = {"never_preempt": False}
UNKNOWNS = [Unknowns(), Unknowns(refuses_second_stop=True, lower_case_arns=True)]


@pytest.fixture(params=[True, False], ids=["events", "sweeps only"])
def events(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=UNKNOWNS, ids=["usual", "strict"])
def world(request: pytest.FixtureRequest, events: bool) -> SimulatedQueue:
    behaviour = Behaviour(unknowns=request.param)
    return SimulatedQueue(budget=BUDGET, deliver_events=events, behaviour=behaviour)


def processing_jobs(world: SimulatedQueue) -> dict[str, ProcessingJob]:
    return {job.name: job for job in world.simulation.machine.processing.by_key.values()}


def state(world: SimulatedQueue, name: str) -> JobState:
    return world.job(name).status.state


def outcomes(job: Job) -> list[Outcome]:
    return [ended.outcome for ended in job.status.history]


def test_processing_and_training_jobs_do_not_wait_for_each_other(world: SimulatedQueue) -> None:
    world.submit("resnet")
    world.process("features", instances=2)
    world.process("report")
    world.run(300)
    assert [state(world, name) for name in ("resnet", "features", "report")] == [
        JobState.RUNNING,
        JobState.RUNNING,
        JobState.PENDING,
    ]
    world.run_until_empty()
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.COMPLETED}
    assert [*processing_jobs(world)] == ["features-sq-1", "report-sq-1"]


def test_a_processing_job_keeps_its_instances_unless_its_user_allows_a_restart(world: SimulatedQueue) -> None:
    world.process("protected")
    world.process("restartable", options=RESTARTS)
    world.run(300)
    world.process("urgent", 5)
    world.run_until_empty()
    assert outcomes(world.job("protected")) == [Outcome.COMPLETED]
    restarted = world.job("restartable")
    assert outcomes(restarted) == [Outcome.PREEMPTED, Outcome.COMPLETED]
    assert restarted.status.history[0].beneficiary == "urgent"
    first, second = (processing_jobs(world)[f"restartable-sq-{number}"] for number in (1, 2))
    assert first.request == {**second.request, "ProcessingJobName": "restartable-sq-1"}  # it starts from nothing


def test_a_training_job_preempts_no_processing_job(world: SimulatedQueue) -> None:
    world.process("features", instances=2, options=RESTARTS)
    world.submit("first")
    world.run(300)
    world.submit("urgent", 9)
    world.run_until_empty()
    assert outcomes(world.job("features")) == [Outcome.COMPLETED]
    assert outcomes(world.job("first")) == [Outcome.PREEMPTED, Outcome.COMPLETED]


def test_a_cancelled_processing_job_is_stopped(world: SimulatedQueue) -> None:
    world.process("features")
    world.run(300)
    world.control.cancel("features", ADA)
    world.run_until_empty()
    assert outcomes(world.job("features")) == [Outcome.CANCELLED]
    assert processing_jobs(world)["features-sq-1"].status == "Stopped"


def test_a_failed_processing_job_fails(world: SimulatedQueue) -> None:
    world.crashing = {"features"}
    world.process("features")
    world.run_until_empty()
    assert state(world, "features") is JobState.FAILED
    assert "AlgorithmError" in world.job("features").status.history[-1].failure_reason


def test_a_processing_job_ends_at_its_time_limit(world: SimulatedQueue) -> None:
    world.durations = {"features": 7200.0}
    world.process("features", StoppingCondition={"MaxRuntimeInSeconds": 1800})
    world.run_until_empty()
    assert outcomes(world.job("features")) == [Outcome.TIME_LIMIT]
    assert world.job("features").status.reason.code is ReasonCode.TIME_LIMIT


def test_a_stop_outside_the_queue_is_not_repaired(world: SimulatedQueue) -> None:
    world.process("features", options=RESTARTS)
    world.run(300)
    world.client.stop_processing_job(ProcessingJobName="features-sq-1")
    world.run_until_empty()
    assert outcomes(world.job("features")) == [Outcome.STOPPED_OUTSIDE]


def test_a_name_that_another_processing_job_has_leads_to_the_next(world: SimulatedQueue) -> None:
    world.client.create_processing_job(**a_processing_request("features-sq-1"))
    world.process("features")
    world.run_until_empty()
    assert processing_jobs(world)["features-sq-2"].status == "Completed"
    assert state(world, "features") is JobState.COMPLETED


def test_a_training_job_with_the_attempts_name_is_no_attempt(world: SimulatedQueue) -> None:
    world.process("features")
    world.run(300)
    world.squatted = {"features-sq-1"}
    world.client.create_training_job(**request("features-sq-1"))
    world.run_until_empty()
    assert outcomes(world.job("features")) == [Outcome.COMPLETED]
