"""The description of a queued job, compared with what the SDKs rely on."""

from itertools import pairwise

import boto3
import pytest
from botocore.stub import Stubber

from sagequeue.contract.jobs import Job
from sagequeue.jobs.description import describe, restore_job_identity
from unit.sagequeue.builders.jobs import ARN, a_job, a_request, a_whole_life, an_attempt, launching, preempted

CASES = {
    "pending": (a_job(position=3, message="Waits."), "InProgress", "Pending"),
    "parked": (a_job("parked", "exceeds_budget"), "InProgress", "Pending"),
    "a state of a newer queue": (a_job("paused", "maintenance"), "InProgress", "Pending"),
    "launching": (a_job("launching", "fits", attempts=[launching(1)]), "InProgress", "Starting"),
    "running": (a_job("running", "running", attempts=[an_attempt()]), "InProgress", "Training"),
    "running, its attempt just ended": (a_job("running", "running"), "InProgress", "Starting"),
    "being preempted": (a_job("stopping", "outranked", attempts=[an_attempt()]), "InProgress", "Interrupted"),
    "preempted": (a_job("preempted", position=1, attempts=[preempted()]), "InProgress", "Pending"),
    "being cancelled": (a_job("stopping", "cancelled", attempts=[an_attempt()]), "Stopping", "Stopping"),
    "cancelled while pending": (a_job("stopped", "cancelled"), "Stopped", "Stopped"),
    "cancelled while preempted": (a_job("stopped", "cancelled", attempts=[preempted()]), "Stopped", "Stopped"),
    "refused at launch": (
        a_job("failed", "create_refused", attempts=[an_attempt(1, "never_started", status="")]),
        "Failed",
        "Failed",
    ),
}


@pytest.mark.parametrize(("job", "status", "secondary"), CASES.values(), ids=CASES)
def test_each_state_has_its_words_in_sagemaker(job: Job, status: str, secondary: str) -> None:
    description = describe(job)
    assert (description["TrainingJobStatus"], description["SecondaryStatus"]) == (status, secondary)
    assert description["SecondaryStatusTransitions"][-1]["Status"] == secondary
    assert "ModelArtifacts" not in description


@pytest.mark.parametrize("job", [case[0] for case in CASES.values()], ids=CASES)
def test_a_description_has_the_shape_of_sagemakers(job: Job) -> None:
    client = boto3.client("sagemaker", region_name="eu-west-1", aws_access_key_id="x", aws_secret_access_key="x")
    # The model requires artifacts, which SageMaker itself leaves out before the end. The stubber checks the rest.
    complete = {**describe(job), "ModelArtifacts": {"S3ModelArtifacts": "s3://bucket/model.tar.gz"}}
    Stubber(client).add_response("describe_training_job", complete)


def test_a_description_keeps_the_users_name_and_request_without_tags() -> None:
    description = describe(a_job("running", "running", attempts=[an_attempt()]))
    assert description["TrainingJobName"] == "resnet"
    assert description["TrainingJobArn"] == ARN + "resnet"
    assert description["ResourceConfig"] == a_request()["ResourceConfig"]
    assert "Tags" not in description


def test_members_that_the_sdks_index_are_always_there() -> None:
    description = describe(a_job())
    assert description["HyperParameters"] == {}
    assert description["OutputDataConfig"] == {"S3OutputPath": "s3://bucket/out", "KmsKeyId": ""}
    assert description["EnableNetworkIsolation"] is False


def test_a_callers_change_of_a_description_does_not_change_the_job() -> None:
    job = a_job()
    describe(job)["ResourceConfig"]["InstanceCount"] = 99
    assert job["request"] == a_request()


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("needs 2 × ml.p4d.24xlarge; held by bert", "needs 2 × ml.p4d.24xlarge; held by bert"),
        ("", "needs 2 × ml.p4d.24xlarge"),
    ],
)
def test_a_waiting_job_shows_position_priority_and_reason(reason: str, told: str) -> None:
    job = a_job(position=3, instances={"ml.p4d.24xlarge": 2}, reason={"code": "waits_for_budget", "message": reason})
    message = describe(job)["SecondaryStatusTransitions"][-1]["StatusMessage"]
    assert message == f"queued: position 3, priority 4: {told}"


def test_a_failure_never_contains_sdk_v2s_word_for_lack_of_capacity() -> None:
    description = describe(a_job("failed", "create_refused", "CapacityError: no more tries"))
    assert description["FailureReason"] == "capacity error: no more tries"


def test_transitions_never_get_fewer_over_a_life() -> None:
    counts = [len(describe(job)["SecondaryStatusTransitions"]) for job in a_whole_life()]
    assert all(before <= after for before, after in pairwise(counts))


def test_a_preemption_names_its_beneficiary() -> None:
    messages = [step["StatusMessage"] for step in describe(a_whole_life()[5])["SecondaryStatusTransitions"]]
    assert "resnet-sq-1: preempted for urgent; the job resumes at its next turn" in messages


def test_each_transition_ends_where_the_next_one_starts() -> None:
    steps = describe(a_whole_life()[7])["SecondaryStatusTransitions"]
    assert all(step["EndTime"] == following["StartTime"] for step, following in pairwise(steps))
    assert "EndTime" not in steps[-1]


def test_sagemakers_description_of_the_last_attempt_becomes_the_jobs_own() -> None:
    job = a_whole_life()[-1]
    start = describe(job)["CreationTime"]
    real = {
        "TrainingJobName": "resnet-sq-2",
        "TrainingJobArn": ARN + "resnet-sq-2",
        "ModelArtifacts": {"S3ModelArtifacts": "s3://bucket/out/resnet-sq-2/output/model.tar.gz"},
        "SecondaryStatusTransitions": [
            {"Status": status, "StartTime": start, "StatusMessage": "m"} for status in ("Starting", "Completed")
        ],
    }
    restore_job_identity(job, real)
    assert (real["TrainingJobName"], real["TrainingJobArn"]) == ("resnet", ARN + "resnet")
    assert "resnet-sq-2" in str(real["ModelArtifacts"])
    statuses = [step["Status"] for step in real["SecondaryStatusTransitions"]]  # type: ignore[index]  # mixed values
    assert statuses == ["Pending", "Starting", "Training", "Interrupted", "Pending", "Starting", "Completed"]
