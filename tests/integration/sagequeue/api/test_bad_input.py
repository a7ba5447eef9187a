"""Each cause of a refused submission has its own error, which the SDKs expect and which quotes no request."""

from collections.abc import Callable
from typing import Any, cast

import boto3
import pytest
from botocore.exceptions import ClientError

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient, install
from sagequeue.errors import (
    CredentialsMissing,
    FailedCall,
    NameTaken,
    NotAQueue,
    OtherVersion,
    QueueUnreachable,
    TooLarge,
    TooManyTags,
    WrongRegion,
)
from scheduler.errors import refusals
from unit.sagequeue.builders.jobs import a_request

SECRETS = ("s3://vision-data", "role/vision", "lr-of-vision", "token-of-vision", "vision-tag")
REQUEST = a_request(
    RoleArn="arn:aws:iam::123456789012:role/vision",
    OutputDataConfig={"S3OutputPath": "s3://vision-data/out"},
    HyperParameters={"lr": "lr-of-vision"},
    Environment={"TOKEN": "token-of-vision"},
    Tags=[{"Key": "vision-tag", "Value": "x"}],
)
Situation = Callable[[FakeQueue, pytest.MonkeyPatch], str | None]


def refused(refusal: refusals.BadRequest) -> Situation:
    """By the queue's own code, in its own words."""
    answer = {"error": refusal.code, "message": refusal.message, "field": refusal.field, "remedy": refusal.remedy}
    return answered(refusal.status, answer)


def answered(status: int, body: object) -> Situation:
    def arrange(queue: FakeQueue, _: pytest.MonkeyPatch) -> None:
        queue.faults = [(status, body)] * 6

    return arrange


def at(url: str) -> Situation:
    return lambda _queue, _patch: url


def signed_out(_: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


UNKNOWN_PATH = {"error": "unknown_path", "message": "There is nothing at this path", "field": None, "remedy": "Look."}
SITUATIONS: dict[type[FailedCall], Situation] = {
    CredentialsMissing: signed_out,
    WrongRegion: at("https://x.execute-api.us-west-2.amazonaws.com/v1"),
    NotAQueue: answered(200, b"<html>vision-tag"),
    OtherVersion: answered(404, UNKNOWN_PATH),
    NameTaken: refused(refusals.NameTaken("resnet")),
    TooManyTags: refused(refusals.TooManyTags(49, 48)),
    TooLarge: answered(413, {"message": "Request Too Long"}),
    QueueUnreachable: at("http://127.0.0.1:9"),
}


@pytest.mark.usefixtures("clock", "aws")
@pytest.mark.parametrize("kind", SITUATIONS)
def test_every_kind_of_bad_input_has_its_error_with_a_remedy_of_one_line(
    queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, kind: type[FailedCall]
) -> None:
    error = failure(SITUATIONS[kind], queue, monkeypatch)
    assert type(error) is kind
    assert isinstance(error, ClientError)
    assert error.remedy
    assert "\n" not in error.remedy
    assert error.remedy in error.response["Error"]["Message"]


@pytest.mark.usefixtures("clock", "aws")
@pytest.mark.parametrize("kind", SITUATIONS)
def test_no_error_quotes_the_request(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, kind: type[FailedCall]) -> None:
    error = failure(SITUATIONS[kind], queue, monkeypatch)
    told = f"{error} {error.response} {error.args}"
    assert [secret for secret in SECRETS if secret in told] == []


def test_nothing_reaches_sagemaker(queue: FakeQueue, aws: FakeAws, monkeypatch: pytest.MonkeyPatch, clock: Any) -> None:
    for arrange in SITUATIONS.values():
        with monkeypatch.context() as patch:
            failure(arrange, queue, patch)
    assert aws.calls == []


def failure(arrange: Situation, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> FailedCall:
    """Returns the error that a program gets when it submits through boto3."""
    url = arrange(queue, monkeypatch)
    session = boto3.Session()
    install(session, QueueClient(url))
    client = session.client("sagemaker")
    with pytest.raises(FailedCall) as caught:
        client.create_training_job(**cast(Any, REQUEST))
    return caught.value
