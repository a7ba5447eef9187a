"""Without permission, network or notice, training goes on as without the library, and the log says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError
from botocore.stub import Stubber

from integration.preempt.machine import ENVIRON, STOP, Clock, Trainer, preemptible, put
from sagequeue_preempt.launch import Place
from sagequeue_preempt.log import Log
from sagequeue_preempt.notice import StopNotice

PLACE = Place("queue-bucket", "stops/resnet-sq-3")


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stubber]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with Stubber(boto3.client("s3", region_name="us-east-1")) as stub:
        yield stub


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (403, "AccessDenied", "403 AccessDenied (the job's role and the bucket's policy must allow s3:GetObject)"),
        (404, "NoSuchKey", "404 NoSuchKey (this version of the queue gives no notice, or the object was removed)"),
        (503, "SlowDown", "503 SlowDown;"),
    ],
)
def test_a_notice_that_cannot_be_read_is_reported_once(
    status: int, code: str, words: str, stub: Stubber, capsys: pytest.CaptureFixture[str]
) -> None:
    notice = StopNotice(stub.client, PLACE, 15, Log())
    for _ in range(3):
        stub.add_client_error("get_object", code, http_status_code=status)
        notice.read()
    out = capsys.readouterr().out
    assert out.startswith("sagequeue_preempt: cannot read s3://queue-bucket/stops/resnet-sq-3: ")
    assert words in out
    assert out.count("\n") == 1
    assert notice.asked_at is None


@pytest.mark.parametrize("content", [{}, {"state": "pause"}, {"state": "stop"}, [], "stop"])
def test_an_unknown_content_stops_nothing(content: object, s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    put(s3, content)
    notice = StopNotice(s3, PLACE, 15, Log())
    notice.read()
    assert notice.asked_at is None
    assert "unknown content (the library may be older than the queue)" in capsys.readouterr().out


def test_what_the_queue_asked_for_stays_while_s3_cannot_be_read(s3: Any) -> None:
    put(s3, STOP)
    notice = StopNotice(s3, PLACE, 15, Log())
    notice.read()
    s3.delete_object(Bucket=PLACE.bucket, Key=PLACE.key)
    notice.read()
    assert notice.asked_at == STOP["asked_at"]


def test_without_a_network_each_save_is_a_line_in_the_log(
    tmp_path: Path, s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="https://s3")

    s3.meta.events.register("before-send.s3", refuse)
    clock, trainer = Clock(), Trainer()
    with preemptible(tmp_path, environ=ENVIRON, s3=s3, clock=clock.time, sleep=clock.sleep) as job:
        trainer.run(job, 2)
    out = capsys.readouterr().out
    assert "[sagequeue] saved step=0 at=2027-01-15T08:00:00+00:00\n" in out
    assert "[sagequeue] saved step=1 at=2027-01-15T08:00:00+00:00\n" in out
    assert out.count("cannot write s3://queue-bucket/acks/resnet-sq-3") == 1


def test_a_queue_without_notice_still_gets_the_saves_by_the_log(
    tmp_path: Path, s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with preemptible(tmp_path, environ={"SAGEQUEUE_ATTEMPT": "a-sq-1"}, s3=s3) as job:
        Trainer().run(job, 1)
    begins, report = capsys.readouterr().out.splitlines()
    assert begins == "sagequeue_preempt: begins at step 0"
    assert report == "[sagequeue] saved step=0 at=2027-01-15T08:00:00+00:00"
