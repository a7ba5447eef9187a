"""A secret in a request appears nowhere in the records, logs, notices and answers of the queue."""

import json
from collections.abc import Iterator
from secrets import token_hex
from typing import Any

import boto3
import pytest
import requests

from local_account import LocalAccount
from local_guard.rule import KEY_HEADER
from sagequeue import QueueClient
from support.deployed.container_requests import body
from support.deployed.notices import Mailbox
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

SECRET = f"canary-{token_hex(8)}"
SMALL = '{"rules": [{"name": "small", "kind": "instances_per_job", "most": 1}]}'
ENDS = {
    "secret-good": "completed",
    "secret-bad": "failed",
    "secret-refused": "failed",
    "secret-parked": "parked",
}
NO_KEY = "n" * 1100  # longer than DynamoDB takes for a key
OF_A_STATE = {
    "TrainingJobStatus": "InProgress",
    "SecondaryStatus": "Training",
    "LastModifiedTime": 1_795_000_000_000,
    "SecondaryStatusTransitions": [{"Status": "Training", "StartTime": 1_795_000_000_000}],
}
USERS_OWN_LOGS = "/aws/sagemaker/TrainingJobs"


@pytest.fixture(scope="module", autouse=True)
def lived(account: LocalAccount, rest_api: RestApi, mailbox: Mailbox) -> Iterator[None]:
    """Jobs with the secret that came to every kind of end, and events with it that a function fails on."""
    operator = QueueClient()
    rest_api.submit(with_secret("secret-good", "true"))
    rest_api.submit(with_secret("secret-bad", "exit 7"))
    refuse_creation(account, "secret-refused")
    rest_api.submit(with_secret("secret-refused", "true"))
    wide = with_secret("secret-parked", "true", instances=2)
    wide["Tags"].append({"Key": "queue:hold", "Value": "true"})
    rest_api.submit(wide)
    operator.apply_config(SMALL, "rules")
    operator.release("secret-parked")
    for name, state in ENDS.items():
        eventually(lambda name=name: rest_api.job(name)["state"], lambda found, state=state: found == state)  # type: ignore[misc] # mypy cannot infer lambdas with defaults
    send_event("secret-good-sq-1")  # cannot be read
    send_event(NO_KEY, **OF_A_STATE)  # cannot be kept
    eventually(dead_letters, lambda found: NO_KEY in found)
    eventually(mailbox.notices, lambda found: {"secret-bad", "secret-parked"} <= found.keys())
    yield
    operator.apply_config("{}", "rules")
    operator.cancel("secret-parked")
    boto3.client("sqs").purge_queue(QueueUrl=dead_letter_queue())


def refuse_creation(account: LocalAccount, name: str) -> None:
    """Lets SageMaker refuse the job's attempts, and quote the secret (docs/contribute/emulator.md)."""
    error = {"code": "ValidationException", "message": f"{SECRET} is not allowed", "http_status": 400}
    requests.post(
        f"{account.settings.sagemaker_endpoint}/_control/calls",
        json={"operation": "CreateTrainingJob", "job": f"{name}-*", "error": error},
        headers={KEY_HEADER: account.key},
        timeout=10,
    ).raise_for_status()


def test_no_log_of_ours_has_it() -> None:
    written = "\n".join(text for group in our_log_groups() for text in events_of(group))
    assert all(name in written for name in ENDS), "these are the logs"
    assert SECRET not in written


def test_no_notice_has_it(mailbox: Mailbox) -> None:
    assert SECRET not in json.dumps(mailbox.notices())


def test_no_alarm_and_no_metric_has_it() -> None:
    cloudwatch = boto3.client("cloudwatch")
    alarms, metrics = cloudwatch.describe_alarms(), cloudwatch.list_metrics()
    assert alarms["MetricAlarms"]
    assert metrics["Metrics"]
    assert SECRET not in f"{alarms}{metrics}"


def test_a_dead_letter_has_it_as_it_is_the_event_and_its_queue_is_encrypted() -> None:
    event = json.loads(dead_letters())["requestPayload"]
    assert event["detail"].pop("HyperParameters") == {"password": SECRET}
    assert SECRET not in json.dumps(event)
    attributes = boto3.client("sqs").get_queue_attributes(QueueUrl=dead_letter_queue(), AttributeNames=["All"])
    assert attributes["Attributes"]["SqsManagedSseEnabled"] == "true"


def test_the_error_that_made_a_dead_letter_has_it_neither() -> None:
    error = json.dumps(json.loads(dead_letters())["responsePayload"])
    assert "size limit of 1024 bytes" in error
    assert SECRET not in error


@pytest.mark.parametrize("path", ["/jobs", "/queue", "/findings", *(f"/jobs/{name}/why" for name in ENDS)])
def test_no_answer_that_is_not_the_job_itself_has_it(rest_api: RestApi, path: str) -> None:
    answer = rest_api.get(path)
    assert answer.status_code == 200, answer.text
    assert SECRET not in answer.text


def test_the_history_has_it_in_tags_only(rest_api: RestApi) -> None:
    """By them it is reported on."""
    changes = rest_api.get("/history").json()["changes"]
    tags = [change.pop("tags") for change in changes]
    assert SECRET in json.dumps(tags)
    assert SECRET not in json.dumps(changes)


@pytest.mark.parametrize("name", ENDS)
def test_of_the_job_itself_only_the_request_has_it(rest_api: RestApi, name: str) -> None:
    job = rest_api.job(name)
    assert SECRET in json.dumps(job.pop("request"))
    assert SECRET not in json.dumps(job)


def with_secret(name: str, command: str, **more: Any) -> dict[str, Any]:
    request = body(name, command, **more)
    request["Tags"].append({"Key": "project", "Value": SECRET})
    return {**request, "HyperParameters": {"password": SECRET}, "Environment": {"TOKEN": SECRET}}


def send_event(attempt: str, **more: Any) -> None:
    """As EventBridge does: if the function fails, it is called again, and then there is a dead letter."""
    event = {"detail": {"TrainingJobName": attempt, "HyperParameters": {"password": SECRET}, **more}}
    functions = [one["FunctionName"] for one in boto3.client("lambda").list_functions()["Functions"]]
    (name,) = (name for name in functions if "TrainingEvents" in name)
    boto3.client("lambda").invoke(FunctionName=name, InvocationType="Event", Payload=json.dumps(event).encode())


def dead_letter_queue() -> str:
    (url,) = (url for url in boto3.client("sqs").list_queues()["QueueUrls"] if "DeadLetters" in url)
    return str(url)


def dead_letters() -> str:
    """The one that there is; empty before it comes."""
    found = boto3.client("sqs").receive_message(
        QueueUrl=dead_letter_queue(), MaxNumberOfMessages=10, VisibilityTimeout=0
    )
    return "".join(message["Body"] for message in found.get("Messages", []))


def our_log_groups() -> list[str]:
    groups = boto3.client("logs").describe_log_groups()["logGroups"]
    return [group["logGroupName"] for group in groups if group["logGroupName"] != USERS_OWN_LOGS]


def events_of(group: str) -> Iterator[str]:
    for page in boto3.client("logs").get_paginator("filter_log_events").paginate(logGroupName=group):
        yield from (event["message"] for event in page["events"])
