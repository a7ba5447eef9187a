"""Rules and recovery on the deployed stack: at the door, around it, and after failures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import boto3
import pytest
import requests
from mypy_boto3_logs import CloudWatchLogsClient
from mypy_boto3_sagemaker import SageMakerClient

from builders.rules import a_document, a_rule
from e2e.bodies import BUCKET, body
from e2e.door import Door, parsed
from e2e.mailbox import Mailbox
from e2e.patience import eventually
from e2e.training import digits_estimator, printed
from local_account import LocalAccount
from sagequeue import QueueClient

if TYPE_CHECKING:
    from sagequeue import QueueSession

TAGGED = a_rule("required_tags", tags={"team": {}})
SMALL = a_rule("instances_per_job", most=1)
AT_ONCE = {"treatments": {"internal": {"retries": 1, "delay": 0}, "hardware": {"retries": 1, "delay": 0}}}
LEAVES_SPOT = {"leaving_spot": {"allowed": True, "interruptions": 3}}
EPOCHS = 8
ON_SPOT = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 600, "MaxWaitTimeInSeconds": 900},
}
#: An interruption ends nothing: a sweep finds out how often there was one.
A_SWEEP_OR_TWO = 200


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


def test_an_untagged_job_that_goes_round_the_queue_is_stopped_and_its_owner_told(
    client: QueueClient, sagemaker: SageMakerClient, mailbox: Mailbox
) -> None:
    client.apply_rules(a_document(TAGGED))
    for name, tags in (("untagged", {"owner": "ada"}), ("tagged", {"team": "vision"})):
        sagemaker.create_training_job(**body(name, "sleep 300") | tagged(**tags))
    eventually(lambda: _status(sagemaker, "untagged"), lambda status: status in {"Stopping", "Stopped"})
    assert _status(sagemaker, "tagged") == "InProgress"
    sagemaker.stop_training_job(TrainingJobName="tagged")
    ((name, stopped),) = _findings()
    assert (name, stopped) == ("untagged", True)
    notice = eventually(mailbox.notices, lambda found: "untagged" in found)["untagged"]
    assert (notice["kind"], notice["owner"]) == ("rule_violated", "ada")


def test_a_crash_of_sagemakers_own_is_resumed_from_the_checkpoint(
    queue_session: "QueueSession",
    door: Door,
    client: QueueClient,
    logs: CloudWatchLogsClient,
    account: LocalAccount,
) -> None:
    client.apply_rules(a_document(recovery=AT_ONCE))
    digits_estimator(queue_session, "crash", priority=1, epochs=EPOCHS).fit(wait=False, job_name="crash")
    eventually(lambda: saved("crash"), bool)  # a crash uploads no more
    let(account, "crash-sq-1", "fail")
    job = eventually(lambda: door.job("crash"), lambda job: job["state"] == "completed")
    assert [(one["outcome"], one["failure_class"]) for one in job["attempts"]] == [
        ("failed", "internal"),
        ("completed", None),
    ]
    assert printed(logs, "crash-sq-2")[0].startswith("resumed from checkpoint")


def test_broken_hardware_that_only_the_log_tells_of_is_tried_again(door: Door, client: QueueClient) -> None:
    client.apply_rules(a_document(recovery=AT_ONCE))
    breaks = (
        "cd $SM_CHECKPOINT_DIR; [ -e tried ] || { touch tried; echo 'uncorrectable ECC error encountered'; exit 1; }"
    )
    door.submit(body("broken-gpu", breaks) | checkpoints("broken-gpu"))
    job = eventually(lambda: door.job("broken-gpu"), lambda job: job["state"] == "completed")
    first, second = job["attempts"]
    assert (first["failure_class"], first["action"]) == ("hardware", "judged by its log: tried again after 0 seconds")
    assert second["outcome"] == "completed"


def test_a_spot_job_that_is_interrupted_four_times_goes_on_on_demand(
    door: Door, client: QueueClient, sagemaker: SageMakerClient, account: LocalAccount
) -> None:
    client.apply_rules(a_document(recovery=LEAVES_SPOT))
    # The second attempt ends at once, and well only if it finds what the first one saved.
    script = "cd $SM_CHECKPOINT_DIR; case $TRAINING_JOB_NAME in *-1) touch saved; sleep 300;; *) [ -e saved ];; esac"
    door.submit(body("spot", script) | checkpoints("spot") | ON_SPOT)
    eventually(lambda: saved("spot"), bool)
    for interruptions in range(4):
        eventually(lambda: door.job("spot"), lambda job, seen=interruptions: trains_after(job, seen))  # type: ignore[misc] # mypy cannot infer a lambda with a default
        let(account, "spot-sq-1", "interrupt")
    job = eventually(lambda: door.job("spot"), lambda job: job["state"] == "completed", within=A_SWEEP_OR_TWO)
    assert [(one["outcome"], one["interruptions"]) for one in job["attempts"]] == [("left_spot", 4), ("completed", 0)]
    spot, on_demand = (sagemaker.describe_training_job(TrainingJobName=f"spot-sq-{number}") for number in (1, 2))
    assert (spot["EnableManagedSpotTraining"], on_demand["EnableManagedSpotTraining"]) == (True, False)
    assert "MaxWaitTimeInSeconds" not in on_demand["StoppingCondition"]
    assert spot["TrainingEndTime"] <= on_demand["CreationTime"]


def test_a_user_error_is_not_tried_again(door: Door) -> None:
    door.submit(body("mistake", "exit 3"))
    job = eventually(lambda: door.job("mistake"), lambda job: job["state"] == "failed")
    ((outcome, action),) = [(one["outcome"], one["action"]) for one in job["attempts"]]
    assert outcome == "failed"
    assert action.startswith("given up")


def tagged(**tags: str) -> dict[str, Any]:
    return {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}


def checkpoints(name: str) -> dict[str, Any]:
    return {"CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/checkpoints/{name}"}}


def let(account: LocalAccount, attempt: str, verb: str) -> None:
    """What only SageMaker does: `fail` or `interrupt` an attempt."""
    control = f"{account.settings.sagemaker_endpoint}/_control/jobs/{attempt}/{verb}"
    assert requests.post(control, json={}, timeout=10).status_code == 200


def trains_after(job: dict[str, Any], interruptions: int) -> bool:
    attempt = job["attempts"][-1] if job["attempts"] else {}
    return (attempt.get("secondary_status"), attempt.get("interruptions")) == ("Training", interruptions)


def saved(job: str) -> list[str]:
    found = boto3.client("s3").list_objects_v2(Bucket=BUCKET, Prefix=f"checkpoints/{job}/")
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
