"""Cancelling: a waiting job never starts, a running one gives its instances back."""

from typing import Any

import pytest
from mypy_boto3_sagemaker import SageMakerClient

from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi
from support.deployed.sagemaker_jobs import training_jobs
from support.deployed.waiting import eventually

FOR_EVER = "sleep 300"


@pytest.fixture(scope="module", autouse=True)
def full_house(rest_api: RestApi) -> None:
    """One job holds the whole budget."""
    rest_api.submit(body("occupant", FOR_EVER, instances=2))
    eventually(lambda: rest_api.job("occupant"), is_training)


def test_a_pending_job_is_stopped_at_once_and_never_reaches_sagemaker(
    rest_api: RestApi, sagemaker: SageMakerClient
) -> None:
    rest_api.submit(body("withdrawn"))
    cancelled = rest_api.cancel("withdrawn")
    assert (cancelled["state"], cancelled["reason"]["code"]) == ("stopped", "cancelled")
    assert training_jobs(sagemaker, "withdrawn") == []


def test_a_running_job_is_stopped_in_sagemaker_and_frees_its_instances(
    rest_api: RestApi, sagemaker: SageMakerClient
) -> None:
    rest_api.submit(body("successor"))
    assert rest_api.cancel("occupant")["state"] in {"stopping", "stopped"}
    stopped = eventually(lambda: rest_api.job("occupant"), lambda job: job["state"] == "stopped")
    assert [attempt["outcome"] for attempt in stopped["attempts"]] == ["cancelled"]
    assert [job["TrainingJobStatus"] for job in training_jobs(sagemaker, "occupant")] == ["Stopped"]
    eventually(lambda: rest_api.job("successor"), lambda job: job["state"] == "completed")


def is_training(job: dict[str, Any]) -> bool:
    return job["state"] == "running" and bool(job["attempts"][-1]["training_started_at"])
