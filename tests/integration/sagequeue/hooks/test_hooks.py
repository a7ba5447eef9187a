"""An unmodified boto3 client on a session with the queue installed."""

from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, ParamValidationError

from integration.sagequeue.fakes import aws as fake_aws
from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from sagequeue import JobQueue, QueueClient, SubmissionWarning, install
from sagequeue.errors import NameTaken, NameUsed, NotRunning, QueueUnreachable
from unit.sagequeue.builders.jobs import ARN, a_job, a_request, an_attempt, preempted

RUNNING, PREEMPTED, SECOND_ATTEMPT, COMPLETED = 3, 5, 7, 8
GROUP = "/aws/sagemaker/TrainingJobs"


@pytest.fixture
def logs(hooked: boto3.Session) -> Any:
    return hooked.client("logs")


def submit_and_reach(stage: int, sagemaker: Any, clock: Clock) -> None:
    sagemaker.create_training_job(**a_request())
    clock.now = stage * STAGE_SECONDS


def test_create_goes_to_the_queue_and_not_to_sagemaker(sagemaker: Any, queue: FakeQueue, aws: FakeAws) -> None:
    answer = sagemaker.create_training_job(**a_request())
    assert answer["TrainingJobArn"] == ARN + "resnet"
    assert queue.requests["resnet"] == a_request()
    assert aws.calls == []


def test_a_request_that_botocore_refuses_is_never_sent(sagemaker: Any, queue: FakeQueue) -> None:
    with pytest.raises(ParamValidationError):
        sagemaker.create_training_job(TrainingJobName="resnet")
    assert queue.calls == []


def test_a_refusal_of_the_queue_is_a_client_error(sagemaker: Any) -> None:
    sagemaker.create_training_job(**a_request())
    with pytest.raises(ClientError) as caught:
        sagemaker.create_training_job(**a_request(RoleArn="arn:aws:iam::123456789012:role/Other"))
    assert isinstance(caught.value, NameTaken)
    assert caught.value.response["Error"]["Code"] == "ResourceInUse"


def test_the_same_request_again_warns_until_the_job_has_ended_and_then_fails(sagemaker: Any, queue: FakeQueue) -> None:
    sagemaker.create_training_job(**a_request())
    with pytest.warns(SubmissionWarning, match="resnet was already submitted at 2026-11-21 10:00:00"):
        sagemaker.create_training_job(**a_request())
    queue.life = queue.life[-1:]
    with pytest.raises(NameUsed, match="has ended"):
        sagemaker.create_training_job(**a_request())


def test_warnings_of_the_queue_reach_programs(sagemaker: Any, queue: FakeQueue, client: QueueClient) -> None:
    remark = {"rule": "tagged", "field": "Tags", "message": "it has no tag project", "remedy": "Add one."}
    queue.life = [a_job(warnings=[remark])]
    with pytest.warns(SubmissionWarning, match=r"resnet: it has no tag project\. Add one\."):
        sagemaker.create_training_job(**a_request())
    with pytest.warns(SubmissionWarning, match="it has no tag project"):
        JobQueue(client).submit(a_request("other"))


def test_the_times_of_a_job_are_those_of_all_its_attempts(sagemaker: Any, queue: FakeQueue) -> None:
    first = {**preempted(), "billable_seconds": 12}  # trained for 20 seconds
    done = {**an_attempt(2, "completed"), "billable_seconds": 30}
    queue.life = [a_job("completed", "completed", attempts=[first, done], preemptions=1)]
    sagemaker.create_training_job(**a_request())
    description = sagemaker.describe_training_job(TrainingJobName="resnet")
    assert (description["TrainingTimeInSeconds"], description["BillableTimeInSeconds"]) == (50, 42)


def test_when_the_queue_is_down_nothing_goes_to_sagemaker(sagemaker: Any, queue: FakeQueue, aws: FakeAws) -> None:
    queue.faults = [(503, {})] * 12
    with pytest.raises(QueueUnreachable):
        sagemaker.create_training_job(**a_request())
    with pytest.raises(QueueUnreachable):
        sagemaker.describe_training_job(TrainingJobName="resnet")
    assert aws.calls == []


def test_a_queued_job_is_described_by_the_queue(sagemaker: Any, aws: FakeAws) -> None:
    sagemaker.create_training_job(**a_request())
    assert sagemaker.describe_training_job(TrainingJobName="resnet")["SecondaryStatus"] == "Pending"
    assert aws.calls == []


def test_a_completed_job_is_described_by_sagemaker_under_its_own_name(
    sagemaker: Any, aws: FakeAws, clock: Clock
) -> None:
    submit_and_reach(COMPLETED, sagemaker, clock)
    description = sagemaker.describe_training_job(TrainingJobName="resnet")
    assert aws.calls == [("DescribeTrainingJob", {"TrainingJobName": "resnet-sq-2"})]
    assert (description["TrainingJobName"], description["TrainingJobArn"]) == ("resnet", ARN + "resnet")
    assert description["ModelArtifacts"]["S3ModelArtifacts"] == "s3://bucket/out/resnet-sq-2/output/model.tar.gz"


def test_botos_own_waiter_waits_to_the_end_of_the_last_attempt(
    sagemaker: Any, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botocore.waiter.time", clock)
    sagemaker.create_training_job(**a_request())
    sagemaker.get_waiter("training_job_completed_or_stopped").wait(
        TrainingJobName="resnet", WaiterConfig={"Delay": STAGE_SECONDS}
    )
    assert clock.now == COMPLETED * STAGE_SECONDS


def test_a_launch_that_is_taken_back_does_not_make_the_transitions_fewer(
    sagemaker: Any, queue: FakeQueue, clock: Clock
) -> None:
    pending, launching, done = queue.life[0], queue.life[2], queue.life[-1]
    queue.life = [pending, launching, a_job("pending", "capacity", position=1), done]
    sagemaker.create_training_job(**a_request())
    told = []
    for stage in range(4):
        clock.now = stage * STAGE_SECONDS
        told.append(sagemaker.describe_training_job(TrainingJobName="resnet")["SecondaryStatusTransitions"])
    assert [len(steps) for steps in told[:3]] == [1, 2, 2]
    assert "because of capacity" in told[2][-1]["StatusMessage"]
    assert len(told[3]) > 2


def test_polling_faster_than_the_memory_asks_the_queue_once(sagemaker: Any, queue: FakeQueue, clock: Clock) -> None:
    sagemaker.create_training_job(**a_request())
    for _ in range(3):
        sagemaker.describe_training_job(TrainingJobName="resnet")
        clock.sleep(0.9)
    assert len(queue.calls) == 2  # the submission and one look


def test_a_job_that_is_not_the_queues_is_sagemakers(sagemaker: Any, aws: FakeAws) -> None:
    with pytest.raises(ClientError, match="Requested resource not found"):
        sagemaker.describe_training_job(TrainingJobName="other")
    with pytest.raises(ClientError, match="Requested resource not found"):
        sagemaker.stop_training_job(TrainingJobName="other")
    sagemaker.update_training_job(TrainingJobName="other")
    assert aws.operations == ["DescribeTrainingJob", "StopTrainingJob", "UpdateTrainingJob"]


def test_stop_cancels_the_job_in_the_queue(sagemaker: Any, queue: FakeQueue, aws: FakeAws) -> None:
    sagemaker.create_training_job(**a_request())
    sagemaker.stop_training_job(TrainingJobName="resnet")
    assert sagemaker.describe_training_job(TrainingJobName="resnet")["TrainingJobStatus"] == "Stopped"
    assert queue.cancelled == {"resnet"}
    assert aws.calls == []


def test_a_late_stop_raises_sagemakers_error(sagemaker: Any, clock: Clock) -> None:
    submit_and_reach(COMPLETED, sagemaker, clock)
    with pytest.raises(ClientError) as caught:
        sagemaker.stop_training_job(TrainingJobName="resnet")
    assert caught.value.response["Error"]["Code"] == "ValidationException"


def test_an_update_of_a_running_job_reaches_its_attempt(sagemaker: Any, aws: FakeAws, clock: Clock) -> None:
    submit_and_reach(SECOND_ATTEMPT, sagemaker, clock)
    request = {"TrainingJobName": "resnet", "RemoteDebugConfig": {"EnableRemoteDebug": True}}
    assert sagemaker.update_training_job(**request)["TrainingJobArn"] == ARN + "resnet"
    assert aws.calls == [("UpdateTrainingJob", {**request, "TrainingJobName": "resnet-sq-2"})]
    assert request["TrainingJobName"] == "resnet"


@pytest.mark.parametrize("stage", [0, PREEMPTED])
def test_an_update_of_a_waiting_job_is_refused(sagemaker: Any, aws: FakeAws, clock: Clock, stage: int) -> None:
    submit_and_reach(stage, sagemaker, clock)
    with pytest.raises(NotRunning, match="Wait until it runs"):
        sagemaker.update_training_job(TrainingJobName="resnet")
    assert aws.calls == []


def test_tags_of_a_job_are_those_of_the_request(sagemaker: Any, aws: FakeAws) -> None:
    arn = sagemaker.create_training_job(**a_request())["TrainingJobArn"]
    assert sagemaker.list_tags(ResourceArn=arn)["Tags"] == a_request()["Tags"]
    assert aws.calls == []


@pytest.mark.parametrize(
    "arn",
    [
        ARN + "other",
        "arn:aws:sagemaker:eu-west-1:123456789012:endpoint/resnet",
        "arn:aws:sagemaker:us-east-1:999999999999:training-job/resnet",
    ],
)
def test_tags_of_anything_else_are_sagemakers(sagemaker: Any, arn: str) -> None:
    sagemaker.create_training_job(**a_request())
    assert sagemaker.list_tags(ResourceArn=arn)["Tags"] == [{"Key": "from", "Value": "SageMaker"}]


def stream_names(logs: Any, prefix: str) -> list[str]:
    found = logs.describe_log_streams(logGroupName=GROUP, logStreamNamePrefix=prefix, limit=1)
    return [stream["logStreamName"].partition("/")[0] for stream in found["logStreams"]]


def test_before_the_first_attempt_there_are_no_log_streams(sagemaker: Any, logs: Any, aws: FakeAws) -> None:
    sagemaker.create_training_job(**a_request())
    assert stream_names(logs, "resnet/") == []
    assert aws.calls == []


def test_log_streams_of_every_attempt_and_of_no_other_job_are_found(sagemaker: Any, logs: Any, clock: Clock) -> None:
    submit_and_reach(RUNNING, sagemaker, clock)
    assert stream_names(logs, "resnet/") == ["resnet-sq-1"]
    clock.now = SECOND_ATTEMPT * STAGE_SECONDS
    assert stream_names(logs, "resnet/") == ["resnet-sq-1", "resnet-sq-2"]


def test_all_log_streams_are_on_the_first_page_however_many_there_are(
    sagemaker: Any, logs: Any, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SDK v2 asks for the first page again while there is a next one."""
    own = [f"resnet-sq-{number}/algo-{host}-1" for number in (1, 2) for host in range(100, 160)]
    foreign = [f"resnet-sq-{number}/algo-1-1" for number in range(100, 160)]
    monkeypatch.setattr(fake_aws, "STREAMS", {name: [] for name in [*own, *foreign]})
    submit_and_reach(SECOND_ATTEMPT, sagemaker, clock)
    page = logs.describe_log_streams(logGroupName=GROUP, logStreamNamePrefix="resnet/", limit=1)
    assert [stream["logStreamName"] for stream in page["logStreams"]] == own
    assert "nextToken" not in page


def test_an_installed_logs_client_finds_the_streams_of_every_attempt(
    sagemaker: Any, client: QueueClient, clock: Clock
) -> None:
    logs = boto3.Session().client("logs")
    install(logs, client)
    submit_and_reach(SECOND_ATTEMPT, sagemaker, clock)
    assert stream_names(logs, "resnet/") == ["resnet-sq-1", "resnet-sq-2"]


def test_following_asks_the_queue_only_for_the_job(sagemaker: Any, logs: Any, queue: FakeQueue, clock: Clock) -> None:
    submit_and_reach(SECOND_ATTEMPT, sagemaker, clock)
    stream_names(logs, "resnet/")
    assert [call.path for call in queue.calls[1:]] == ["/jobs/resnet"]


def test_log_streams_of_other_jobs_are_left_alone(logs: Any, aws: FakeAws) -> None:
    assert stream_names(logs, "resnet-sq-x/") == ["resnet-sq-x"]
    assert aws.calls[0][1]["logStreamNamePrefix"] == "resnet-sq-x/"
