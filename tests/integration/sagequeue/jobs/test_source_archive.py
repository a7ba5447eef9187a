"""A later upload over the code of a job that waits is warned of."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest

from integration.sagequeue.fakes.http import Call, serving
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import JobQueue, QueueClient, SubmissionWarning
from sagequeue.contract.jobs import Job
from sagequeue.hooks.installation import forget_answers
from sagequeue.jobs.submission_warnings import etag_of
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt

KEY = "resnet/source/sourcedir.tar.gz"
ARCHIVE = a_request(HyperParameters={"sagemaker_submit_directory": f'"s3://code/{KEY}"'})
CHANNEL = {
    "ChannelName": "code",
    "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://code/resnet"}},
}
FOLDER = a_request(InputDataConfig=[CHANNEL])
LONG_AGO, LATER = "2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"


class FakeS3:
    """A bucket with one object."""

    def __init__(self) -> None:
        self.upload("first")

    def upload(self, code: str) -> None:
        self.etag, self.changed_at = code, datetime.now(UTC)

    def answer(self, call: Call) -> tuple[int, bytes]:
        assert parse_qs(urlsplit(call.path).query)["prefix"][0] in KEY
        time = f"{self.changed_at:%Y-%m-%dT%H:%M:%S.000Z}"
        file = f"<Key>{KEY}</Key><LastModified>{time}</LastModified><ETag>{self.etag}</ETag><Size>1</Size>"
        return 200, f"<ListBucketResult><Contents>{file}</Contents></ListBucketResult>".encode()


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeS3]:
    fake = FakeS3()
    with serving(fake) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", url)
        yield fake


@pytest.mark.parametrize("request_body", [ARCHIVE, FOLDER])
def test_the_etag_of_the_code_goes_to_the_queue(
    s3: FakeS3,
    sagemaker: Any,
    client: QueueClient,
    queue: FakeQueue,
    session: boto3.Session,
    request_body: dict[str, Any],
) -> None:
    etag = etag_of(session, request_body)
    assert etag
    sagemaker.create_training_job(**request_body)
    JobQueue(client, priority=2).submit(request_body, job_name="other")
    assert queue.options == {"resnet": {"source_etag": etag}, "other": {"priority": 2, "source_etag": etag}}
    s3.upload("second")
    assert etag_of(session, request_body) != etag


def test_code_that_cannot_be_read_is_left_out(sagemaker: Any, queue: FakeQueue) -> None:
    sagemaker.create_training_job(**ARCHIVE)  # nobody answers for S3
    assert queue.options["resnet"] == {}


def a_running_job(etag: str | None, reserved_at: str) -> Job:
    options: Any = {**a_job()["options"], "source_etag": etag}
    return a_job("running", "running", attempts=[an_attempt(1, reserved_at=reserved_at)], options=options)


@pytest.mark.parametrize("request_body", [ARCHIVE, FOLDER])
@pytest.mark.parametrize(
    ("reserved_at", "effect"),
    [(LONG_AGO, "Later attempts run the new code"), (LATER, "resnet-sq-1 started with the new code")],
)
def test_a_later_upload_is_warned_of_once_when_an_attempt_has_started(
    s3: FakeS3,
    sagemaker: Any,
    queue: FakeQueue,
    session: boto3.Session,
    request_body: dict[str, Any],
    reserved_at: str,
    effect: str,
) -> None:
    sagemaker.create_training_job(**request_body)
    submitted = etag_of(session, request_body)
    s3.upload("second")
    sagemaker.describe_training_job(TrainingJobName="resnet")  # the job waits
    queue.life = [a_running_job(submitted, reserved_at)]
    forget_answers()
    with pytest.warns(SubmissionWarning, match=f"The code of resnet was replaced in S3 at .*{effect}"):
        sagemaker.describe_training_job(TrainingJobName="resnet")
    sagemaker.describe_training_job(TrainingJobName="resnet")


def test_a_repeated_submission_that_replaced_the_code_is_warned_of(
    s3: FakeS3, sagemaker: Any, queue: FakeQueue, session: boto3.Session
) -> None:
    sagemaker.create_training_job(**ARCHIVE)
    options: Any = {**a_job()["options"], "source_etag": etag_of(session, ARCHIVE)}
    queue.life = [a_job(options=options)]
    s3.upload("second")  # as `fit` does before its call
    with pytest.warns(SubmissionWarning) as caught:
        sagemaker.create_training_job(**ARCHIVE)
    assert "was already submitted" in str(caught[0].message)
    assert "Later attempts run the new code." in str(caught[1].message)


def test_an_explicit_wait_warns_too(s3: FakeS3, client: QueueClient, queue: FakeQueue, session: boto3.Session) -> None:
    queue.life = [a_running_job(etag_of(session, ARCHIVE), LATER), a_job("completed", "completed")]
    job = JobQueue(client).submit(ARCHIVE)
    s3.upload("second")
    with pytest.warns(SubmissionWarning, match="resnet-sq-1 started with the new code"):
        job.wait(logs=False)


def test_code_that_is_the_same_is_not_warned_of(
    s3: FakeS3, sagemaker: Any, queue: FakeQueue, session: boto3.Session
) -> None:
    sagemaker.create_training_job(**ARCHIVE)
    queue.life = [a_running_job(etag_of(session, ARCHIVE), LATER)]
    sagemaker.describe_training_job(TrainingJobName="resnet")
