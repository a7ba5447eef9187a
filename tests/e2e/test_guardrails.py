"""Rules and recovery on the deployed stack: at the door, around it, and after failures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import boto3
import pytest
import requests
from mypy_boto3_logs import CloudWatchLogsClient
from mypy_boto3_sagemaker import SageMakerClient

from builders.rules import a_document, a_rule
from e2e.bodies import body
from e2e.door import Door, parsed
from e2e.patience import eventually
from e2e.training import digits_estimator, printed
from local_account import LocalAccount
from sagequeue import QueueClient

if TYPE_CHECKING:
    from sagequeue import QueueSession

TAGGED = a_rule("required_tags", tags={"team": {}})
SMALL = a_rule("instances_per_job", most=1)
AT_ONCE = {"treatments": {"internal": {"retries": 1, "delay": 0}}}
EPOCHS = 8


@pytest.fixture
def client(door: Door) -> QueueClient:
    return QueueClient()


@pytest.fixture(autouse=True)
def no_rules_at_the_end(client: QueueClient) -> Iterator[None]:
    yield
    client.apply_rules(a_document())


def test_a_job_against_the_rules_is_refused_with_every_violation(door: Door, client: QueueClient) -> None:
    client.apply_rules(a_document(TAGGED, SMALL))
    answer = door.post("/add-job", body("refused", instances=2))
    assert answer.status_code == 422
    assert [one["rule"] for one in parsed(answer)["violations"]] == ["required-tags", "instances-per-job"]
    assert door.get("/jobs/refused").status_code == 404


def test_an_untagged_job_that_goes_round_the_queue_is_stopped(
    client: QueueClient, sagemaker: SageMakerClient, account: LocalAccount
) -> None:
    client.apply_rules(a_document(TAGGED))
    for name, tags in (("untagged", []), ("tagged", [{"Key": "team", "Value": "vision"}])):
        sagemaker.create_training_job(**body(name, "sleep 300") | {"Tags": tags})
    eventually(lambda: _status(sagemaker, "untagged"), lambda status: status in {"Stopping", "Stopped"})
    assert _status(sagemaker, "tagged") == "InProgress"
    sagemaker.stop_training_job(TrainingJobName="tagged")
    ((name, stopped),) = _findings()
    assert (name, stopped) == ("untagged", True)


def test_a_crash_of_sagemakers_own_is_resumed_from_the_checkpoint(
    queue_session: "QueueSession",
    door: Door,
    client: QueueClient,
    logs: CloudWatchLogsClient,
    account: LocalAccount,
) -> None:
    client.apply_rules(a_document(recovery=AT_ONCE))
    digits_estimator(queue_session, "crash", priority=1, epochs=EPOCHS).fit(wait=False, job_name="crash")
    eventually(lambda: _checkpoints(queue_session, "crash"), bool)  # a crash uploads no more
    control = f"{account.settings.sagemaker_endpoint}/_control/jobs/crash-sq-1/fail"
    assert requests.post(control, json={}, timeout=10).status_code == 200
    job = eventually(lambda: door.job("crash"), lambda job: job["state"] == "completed")
    assert [(one["outcome"], one["failure_class"]) for one in job["attempts"]] == [
        ("failed", "internal"),
        ("completed", None),
    ]
    assert printed(logs, "crash-sq-2")[0].startswith("resumed from checkpoint")


def test_a_user_error_is_not_tried_again(door: Door) -> None:
    door.submit(body("mistake", "exit 3"))
    job = eventually(lambda: door.job("mistake"), lambda job: job["state"] == "failed")
    ((outcome, action),) = [(one["outcome"], one["action"]) for one in job["attempts"]]
    assert outcome == "failed"
    assert action.startswith("given up")


def _checkpoints(session: "QueueSession", job: str) -> list[str]:
    found = boto3.client("s3").list_objects_v2(Bucket=session.default_bucket(), Prefix=f"checkpoints/{job}/")
    return [one["Key"] for one in found.get("Contents", [])]


def _status(sagemaker: SageMakerClient, name: str) -> str:
    return sagemaker.describe_training_job(TrainingJobName=name)["TrainingJobStatus"]


def _findings() -> list[tuple[str, bool]]:
    stack = boto3.client("cloudformation").describe_stacks(StackName="sagequeue")["Stacks"][0]
    table = next(output["OutputValue"] for output in stack["Outputs"] if output["OutputKey"] == "TableName")
    found = boto3.client("dynamodb").query(
        TableName=table,
        KeyConditionExpression="pk = :findings",
        ExpressionAttributeValues={":findings": {"S": "FINDINGS"}},
    )
    return [(item["name"]["S"], item["stopped"]["BOOL"]) for item in found["Items"]]
