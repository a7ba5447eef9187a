"""Programs of callers who may call the queue's API, and may not ask SageMaker or read logs."""

import re
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from sagequeue import LogNotReadable, QueueClient
from sagequeue.jobs.description import describe_ended
from sagequeue.jobs.logs import NOT_READABLE
from sagequeue.submission.queued_job import QueuedJob
from unit.sagequeue.builders.jobs import ARN, a_job, a_request, an_attempt, preempted

pytestmark = pytest.mark.usefixtures("aws")

GROUP = "/aws/sagemaker/TrainingJobs"
COMPLETED = 8


@pytest.fixture
def logs(hooked: boto3.Session) -> Any:
    return hooked.client("logs")


@pytest.fixture
def ended(sagemaker: Any, queue: FakeQueue, aws: FakeAws) -> Callable[..., dict[str, Any]]:
    """Describes a job that has ended in this way, to a caller who may not describe its attempt."""

    def ended(state: str, *attempts: Any, **of_request: Any) -> dict[str, Any]:
        queue.life = [a_job(state, state, attempts=list(attempts))]
        sagemaker.create_training_job(**a_request(**of_request))
        aws.may_describe = False
        description: dict[str, Any] = sagemaker.describe_training_job(TrainingJobName="resnet")
        assert aws.operations == ["DescribeTrainingJob"]
        return description

    return ended


def test_an_ended_job_is_described_from_the_queues_record(ended: Callable[..., dict[str, Any]]) -> None:
    first = {**preempted(), "billable_seconds": 12}
    done = {**an_attempt(2, "completed"), "billable_seconds": 30}
    description = ended("completed", first, done)
    assert description["TrainingJobArn"] == ARN + "resnet"
    assert (description["TrainingJobStatus"], description["SecondaryStatus"]) == ("Completed", "Completed")
    assert description["ModelArtifacts"] == {"S3ModelArtifacts": "s3://bucket/out/resnet-sq-2/output/model.tar.gz"}
    assert (description["TrainingTimeInSeconds"], description["BillableTimeInSeconds"]) == (50, 42)
    assert description["ResponseMetadata"]["HTTPStatusCode"] == 200
    steps = [step["Status"] for step in description["SecondaryStatusTransitions"]]
    assert steps == ["Pending", "Starting", "Training", "Interrupted", "Pending", "Starting", "Training", "Completed"]


def test_the_record_has_the_model_where_sagemaker_has_it(sagemaker: Any, aws: FakeAws, clock: Clock) -> None:
    sagemaker.create_training_job(**a_request())
    clock.now = COMPLETED * STAGE_SECONDS
    of_service = sagemaker.describe_training_job(TrainingJobName="resnet")
    aws.may_describe = False
    of_record = sagemaker.describe_training_job(TrainingJobName="resnet")
    assert of_record["ModelArtifacts"] == of_service["ModelArtifacts"]
    assert of_service.keys() - of_record.keys() <= {"BillableTimeInSeconds"}  # the fake's queue has not heard of it


def test_an_uncompressed_model_is_a_folder(ended: Callable[..., dict[str, Any]]) -> None:
    output = {"S3OutputPath": "s3://bucket/out/", "CompressionType": "NONE"}
    description = ended("completed", an_attempt(1, "completed"), OutputDataConfig=output)
    assert description["ModelArtifacts"] == {"S3ModelArtifacts": "s3://bucket/out/resnet-sq-1/output/model/"}


def test_a_failed_job_has_its_reason_and_no_model(ended: Callable[..., dict[str, Any]]) -> None:
    description = ended("failed", an_attempt(1, "failed"))
    assert (description["TrainingJobStatus"], description["FailureReason"]) == ("Failed", "because of failed")
    assert "ModelArtifacts" not in description


def test_the_path_of_another_users_model_is_not_made_up() -> None:
    visible = {"TrainingJobName": "resnet"}  # of another user's request
    job = a_job("completed", "completed", attempts=[an_attempt(1, "completed")], request=visible)
    assert "ModelArtifacts" not in describe_ended(job)


def test_a_job_outside_the_queue_is_still_refused(sagemaker: Any, aws: FakeAws) -> None:
    aws.may_describe = False
    with pytest.raises(ClientError, match="not authorized to perform sagemaker:DescribeTrainingJob"):
        sagemaker.describe_training_job(TrainingJobName="other")


Denial = Callable[[FakeAws], None]


def deny_listing(aws: FakeAws) -> None:
    aws.may_list_logs = False


def deny_reading(aws: FakeAws) -> None:
    aws.may_read_logs = False


@pytest.mark.parametrize("deny", [deny_listing, deny_reading])
def test_fit_waits_to_the_end_without_the_log_and_says_so(
    make_estimator: Callable[..., Any],
    aws: FakeAws,
    capsys: pytest.CaptureFixture[str],
    deny: Denial,
) -> None:
    aws.may_describe = False
    deny(aws)
    with pytest.warns(LogNotReadable, match="ask for logs:DescribeLogStreams and logs:GetLogEvents"):
        make_estimator().fit(job_name="resnet", logs="All")
    output = capsys.readouterr().out
    assert re.search("Pending - queued: position 2.*resnet-sq-1 starts.*Interrupted.*resnet-sq-2 starts", output, re.S)
    assert "Completed - Training job completed" in output
    assert "attempt 1: epoch 1" not in output


@pytest.mark.parametrize("deny", [deny_listing, deny_reading])
def test_a_handle_waits_to_the_end_without_the_log_and_says_so(
    client: QueueClient, aws: FakeAws, capsys: pytest.CaptureFixture[str], deny: Denial
) -> None:
    client.submit(a_request())
    deny(aws)
    job = QueuedJob(client, "resnet", boto3.Session())
    assert job.wait()["state"] == "completed"
    output = capsys.readouterr().out
    assert output.count(NOT_READABLE) == 1
    assert "(of a processing job: /aws/sagemaker/ProcessingJobs)" in NOT_READABLE
    assert "--- Completed: Training job completed" in output


def test_logs_of_jobs_outside_the_queue_are_still_refused(logs: Any, aws: FakeAws) -> None:
    aws.may_list_logs = aws.may_read_logs = False
    with pytest.raises(ClientError, match="not authorized to perform logs:DescribeLogStreams"):
        logs.describe_log_streams(logGroupName=GROUP, logStreamNamePrefix="resnet-sq-x/")
    with pytest.raises(ClientError, match="not authorized to perform logs:GetLogEvents"):
        logs.get_log_events(logGroupName=GROUP, logStreamName="resnet-sq-x/algo-1-1763719260")
