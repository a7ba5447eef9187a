"""Answers that botocore cannot read, of S3 or of a proxy before it, end neither the training nor its polling thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import boto3
import pytest

from integration.preempt.machine import ATTEMPT, BUCKET, ENVIRON, STOP, Clock, Trainer, preemptible, put
from sagequeue_preempt.launch import Place
from sagequeue_preempt.log import Log
from sagequeue_preempt.notice import StopNotice
from support.deployed.waiting import eventually

STOP_PLACE = Place(BUCKET, f"stops/{ATTEMPT}")
PROXY = "<html><body>Sign in<br></body>"


def answer(events: Any, operation: str, body: str) -> None:
    """Replaces the body of all answers to an operation, after botocore 1.44 has checked them for errors of S3."""

    def replace_body(response_dict: dict[str, Any], **_: Any) -> None:
        response_dict["body"] = body.encode()

    events.register_last(f"before-parse.{operation}", replace_body)


def test_a_save_whose_acknowledgement_has_a_broken_answer_is_a_line_in_the_log(
    tmp_path: Path, s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(s3.meta.events, "s3.PutObject", PROXY)
    clock, trainer = Clock(), Trainer()
    with preemptible(tmp_path, environ=ENVIRON, s3=s3, clock=clock.time, sleep=clock.sleep) as job:
        trainer.run(job, 2)
    out = capsys.readouterr().out
    assert "[sagequeue] saved step=1 at=" in out
    assert out.count(f"cannot write s3://{BUCKET}/acks/{ATTEMPT}: ResponseParserError: ") == 1
    assert "Sign in" not in out


@pytest.mark.parametrize(
    "body",
    [
        PROXY,
        "<ListBucketResult><Contents><Key>checkpoints/a</Key>",
        "<ListBucketResult><Contents><Key>checkpoints/a</Key></Contents></ListBucketResult>",
        "<ListBucketResult><Contents><Key>checkpoints/a</Key><Size>many</Size></Contents></ListBucketResult>",
    ],
    ids=["page of a proxy", "cut off", "without a size", "size is no number"],
)
def test_a_save_whose_upload_cannot_be_checked_is_acknowledged_at_once(
    body: str, tmp_path: Path, s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(s3.meta.events, "s3.ListObjectsV2", body)
    own = {"SAGEQUEUE_CHECKPOINT_PATH": str(tmp_path), "SAGEQUEUE_CHECKPOINT_URI": f"s3://{BUCKET}/checkpoints"}
    clock, trainer = Clock(), Trainer()
    put(s3, STOP)
    with preemptible(tmp_path, environ={**ENVIRON, **own}, s3=s3, clock=clock.time, sleep=clock.sleep) as job:
        eventually(lambda: job._session._asked_at, lambda asked_at: asked_at is not None, within=60)
        assert trainer.run(job, 2) == 0
    out = capsys.readouterr().out
    assert out.count(f"cannot list s3://{BUCKET}/checkpoints/") == 1
    assert "saves are acknowledged before they are in S3" in out


def test_the_notice_is_read_again_after_broken_answers(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    put(s3, STOP)
    broken = [True]

    def break_header(response_dict: dict[str, Any], **_: Any) -> None:
        if broken:
            response_dict["headers"]["Last-Modified"] = "soon"

    s3.meta.events.register_last("before-parse.s3.GetObject", break_header)
    notice = StopNotice(s3, STOP_PLACE, 15, Log())
    notice.read()
    assert notice.asked_at is None
    assert "cannot read" in capsys.readouterr().out
    broken.clear()
    notice.read()
    assert notice.asked_at == STOP["asked_at"]


def test_credentials_whose_answer_is_broken_only_delay_the_notice(
    tmp_path: Path, s3: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "token").write_text("token")
    monkeypatch.setenv("AWS_WEB_IDENTITY_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/Training")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    session = boto3.Session(region_name="us-east-1")
    answer(session.events, "sts.AssumeRoleWithWebIdentity", PROXY)
    notice = StopNotice(session.client("s3"), STOP_PLACE, 15, Log())
    notice.read()
    assert notice.asked_at is None
    assert "cannot read s3://queue-bucket/stops/resnet-sq-3: ResponseParserError" in capsys.readouterr().out


def test_without_a_usable_address_of_s3_the_job_trains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "no address")
    with preemptible(tmp_path, environ=ENVIRON) as job:
        Trainer().run(job, 1)
    out = capsys.readouterr().out
    assert "cannot create a client for S3: " in out
    assert "[sagequeue] saved step=0 at=" in out
