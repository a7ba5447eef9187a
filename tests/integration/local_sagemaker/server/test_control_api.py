"""Fault injection over real HTTP; the effect of each fault is tested on the virtual clock."""

import http.client
import json
import time
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError

from integration.local_sagemaker.endpoint import KEY, REGION, Endpoint, a_command, a_request
from local_guard.rule import KEY_HEADER

SLEEPER = a_command("sleep", "600")


def tell(endpoint: Endpoint, method: str, path: str, **body: Any) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", endpoint.server.server_port)
    connection.request(method, f"/_control/{path}", json.dumps(body) if body else None, {KEY_HEADER: KEY})
    status = connection.getresponse().status
    connection.close()
    return status


def impatient(endpoint: Endpoint) -> Any:
    once = Config(read_timeout=0.5, retries={"total_max_attempts": 1})
    return boto3.client("sagemaker", region_name=REGION, endpoint_url=endpoint.url, config=once)


def test_a_call_fails_with_the_given_error(endpoint: Endpoint) -> None:
    error = {"code": "AccessDeniedException", "message": "not yet"}
    assert tell(endpoint, "POST", "calls", operation="ListTrainingJobs", error=error) == 200
    with pytest.raises(ClientError, match=r"\(AccessDeniedException\).*not yet"):
        endpoint.client.list_training_jobs()


def test_a_connection_can_end_without_an_answer_although_the_job_exists(endpoint: Endpoint) -> None:
    tell(endpoint, "POST", "calls", error="no answer", takes_effect=True, times=1)
    with pytest.raises(ConnectionClosedError):
        impatient(endpoint).create_training_job(**a_request("sleeper", AlgorithmSpecification=SLEEPER))
    assert endpoint.client.describe_training_job(TrainingJobName="sleeper")["TrainingJobName"] == "sleeper"


def test_an_sdk_that_repeats_a_lost_create_finds_its_own_job(endpoint: Endpoint) -> None:
    tell(endpoint, "POST", "calls", error="no answer", takes_effect=True, times=1)
    with pytest.raises(ClientError, match="ResourceInUse"):
        endpoint.client.create_training_job(**a_request("sleeper", AlgorithmSpecification=SLEEPER))


def test_an_answer_can_come_too_late(endpoint: Endpoint) -> None:
    tell(endpoint, "POST", "calls", delay_seconds=1)
    with pytest.raises(ReadTimeoutError):
        impatient(endpoint).list_training_jobs()


def test_other_calls_are_answered_while_one_is_slow(endpoint: Endpoint) -> None:
    tell(endpoint, "POST", "calls", operation="ListTrainingJobs", delay_seconds=30)
    with pytest.raises(ReadTimeoutError):
        impatient(endpoint).list_training_jobs()
    began = time.monotonic()
    with pytest.raises(ClientError, match="not found"):
        endpoint.client.describe_training_job(TrainingJobName="nobody")
    assert time.monotonic() - began < 20


def test_delayed_events_arrive_without_further_calls(endpoint: Endpoint) -> None:
    tell(endpoint, "POST", "events", secondary_status="Starting", arrives_after=[0.5, 0.5])
    endpoint.client.create_training_job(**a_request("sleeper", AlgorithmSpecification=SLEEPER))
    assert endpoint.wait_for("sleeper", "Starting") == endpoint.wait_for("sleeper", "Starting")


def test_an_interrupted_job_starts_again(endpoint: Endpoint) -> None:
    spot = {"EnableManagedSpotTraining": True, "AlgorithmSpecification": SLEEPER}
    condition = {"MaxRuntimeInSeconds": 600, "MaxWaitTimeInSeconds": 600}
    endpoint.client.create_training_job(**a_request("sleeper", StoppingCondition=condition, **spot))
    endpoint.wait_for("sleeper", "Training")
    assert tell(endpoint, "POST", "jobs/sleeper/interrupt") == 200
    endpoint.wait_for("sleeper", "Interrupted")
    endpoint.wait_for("sleeper", "Training")


def test_rules_are_removed_on_request(endpoint: Endpoint) -> None:
    tell(endpoint, "POST", "calls", error="no answer")
    assert tell(endpoint, "DELETE", "rules") == 200
    assert endpoint.client.list_training_jobs()["TrainingJobSummaries"] == []


def test_calls_of_sagemaker_are_refused_below_the_control_path(endpoint: Endpoint) -> None:
    assert tell(endpoint, "POST", "nothing") == 404
