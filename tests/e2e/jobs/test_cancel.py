"""Cancelling: what waits never starts, what runs gives its instances back."""

from typing import Any

import pytest
from mypy_boto3_sagemaker import SageMakerClient

from support.deployed.container_requests import body
from support.deployed.rest_api import Door, parsed
from support.deployed.sagemaker_jobs import training_jobs
from support.deployed.waiting import eventually

FOR_EVER = "sleep 300"


@pytest.fixture(scope="module", autouse=True)
def full_house(door: Door) -> None:
    """One job holds the whole budget."""
    door.submit(body("occupant", FOR_EVER, instances=2))
    eventually(lambda: door.job("occupant"), is_training)


def test_a_pending_job_is_stopped_at_once_and_never_reaches_sagemaker(door: Door, sagemaker: SageMakerClient) -> None:
    door.submit(body("withdrawn"))
    cancelled = door.cancel("withdrawn")
    assert (cancelled["state"], cancelled["reason"]["code"]) == ("stopped", "cancelled")
    assert training_jobs(sagemaker, "withdrawn") == []


def test_a_running_job_is_stopped_in_sagemaker_and_frees_its_instances(door: Door, sagemaker: SageMakerClient) -> None:
    door.submit(body("successor"))
    assert door.cancel("occupant")["state"] in {"stopping", "stopped"}
    stopped = eventually(lambda: door.job("occupant"), lambda job: job["state"] == "stopped")
    assert [attempt["outcome"] for attempt in stopped["attempts"]] == ["cancelled"]
    assert [job["TrainingJobStatus"] for job in training_jobs(sagemaker, "occupant")] == ["Stopped"]
    eventually(lambda: door.job("successor"), lambda job: job["state"] == "completed")


def test_cancelling_again_changes_nothing(door: Door) -> None:
    door.submit(body("twice", FOR_EVER))
    door.cancel("twice")
    assert door.cancel("twice")["name"] == "twice"


def test_what_is_over_cannot_be_cancelled(door: Door) -> None:
    door.submit(body("over"))
    eventually(lambda: door.job("over"), lambda job: job["state"] == "completed")
    answer = door.post("/jobs/over/cancel")
    assert (answer.status_code, parsed(answer)["error"]) == (409, "already_finished")


def is_training(job: dict[str, Any]) -> bool:
    return job["state"] == "running" and bool(job["attempts"][-1]["training_started_at"])
