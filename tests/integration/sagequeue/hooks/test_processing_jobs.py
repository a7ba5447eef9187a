"""Programs follow a queued processing job under their own name, while SageMaker runs its attempts."""

from collections.abc import Sequence
from typing import Any

import pytest

from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from local_sagemaker.simulation import Simulation
from sagequeue import QueueClient, install
from sagequeue.contract.jobs import Attempt, Job
from support.builders.processing_requests import a_processing_request
from unit.sagequeue.builders.jobs import a_job, an_attempt

NAME = "ProcessingJobName"


def attempt(number: int, outcome: str | None = None) -> Attempt:
    return an_attempt(number, outcome, name=f"features-sq-{number}")


def stage(state: str, code: str, attempts: Sequence[Attempt] = ()) -> Job:
    return a_job(state, code, kind="processing", attempts=list(attempts))


LIFE = [
    stage("pending", "waits_for_budget"),
    stage("running", "running", [attempt(1)]),
    stage("preempted", "outranked", [attempt(1, "preempted")]),
    stage("running", "running", [attempt(1, "preempted"), attempt(2)]),
    stage("completed", "completed", [attempt(1, "preempted"), attempt(2, "completed")]),
]


@pytest.fixture
def sagemaker(queue: FakeQueue) -> Any:
    """A client of a simulated account whose queue has preempted the processing job and started it again."""
    simulation = Simulation()
    queue.life = LIFE
    client, direct = simulation.client(), simulation.client()
    install(client, QueueClient())
    client.create_processing_job(**a_processing_request())
    direct.create_processing_job(**a_processing_request("features-sq-1"))
    simulation.run(300)
    direct.stop_processing_job(**{NAME: "features-sq-1"})
    simulation.run(900)
    direct.create_processing_job(**a_processing_request("features-sq-2"))
    simulation.run(3600)
    return client


def at_stage(clock: Clock, number: int) -> None:
    clock.now = number * STAGE_SECONDS


def test_the_request_goes_to_the_queue(sagemaker: Any, queue: FakeQueue) -> None:
    assert queue.requests["features"] == a_processing_request()


def test_a_waiting_job_is_described_from_the_queue(sagemaker: Any, clock: Clock) -> None:
    at_stage(clock, 0)
    description = sagemaker.describe_processing_job(**{NAME: "features"})
    assert (description[NAME], description["ProcessingJobStatus"]) == ("features", "InProgress")
    assert description["ProcessingResources"] == a_processing_request()["ProcessingResources"]
    assert "ProcessingStartTime" not in description


@pytest.mark.parametrize(
    ("number", "status"), [(1, "InProgress"), (2, "InProgress"), (3, "InProgress"), (4, "Completed")]
)
def test_a_preempted_job_is_in_progress_until_it_ends(sagemaker: Any, clock: Clock, number: int, status: str) -> None:
    at_stage(clock, number)
    description = sagemaker.describe_processing_job(**{NAME: "features"})
    assert (description[NAME], description["ProcessingJobStatus"]) == ("features", status)
    assert ("ProcessingEndTime" in description) == (status == "Completed")
    assert description["ProcessingJobArn"].endswith("/features")


def test_a_stop_cancels_the_job(sagemaker: Any, clock: Clock, queue: FakeQueue) -> None:
    at_stage(clock, 1)
    sagemaker.stop_processing_job(**{NAME: "features"})
    assert queue.cancelled == {"features"}


def test_a_training_call_does_not_find_a_processing_job(sagemaker: Any, clock: Clock, queue: FakeQueue) -> None:
    at_stage(clock, 1)
    with pytest.raises(sagemaker.exceptions.ClientError, match="not found"):
        sagemaker.describe_training_job(TrainingJobName="features")
    with pytest.raises(sagemaker.exceptions.ClientError, match="not found"):
        sagemaker.stop_training_job(TrainingJobName="features")
    assert not queue.cancelled


def test_other_processing_jobs_are_described_by_sagemaker(sagemaker: Any) -> None:
    assert sagemaker.describe_processing_job(**{NAME: "features-sq-1"})["ProcessingJobStatus"] == "Stopped"
