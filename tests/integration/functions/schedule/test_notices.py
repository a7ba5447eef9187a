"""Subscribers get notices through moto's SNS."""

import json
import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import boto3
import pytest

from scheduler.adapters.aws.notices.sns_notices import NoticeTopics, SnsNotices
from scheduler.core.history.notices import Notice, NoticeKind
from support.builders.configurations import a_configuration

NOTICE = Notice(
    NoticeKind.FAILED, "resnet", "role/ada", "failed", "The training job failed.", "Look at it.", id="resnet/4/failed"
)
TEAMS = {"vision": {"members": ["*/ada"]}}


@pytest.fixture
def topic(table: str) -> str:
    return boto3.client("sns").create_topic(Name="notices")["TopicArn"]


@pytest.fixture
def url(table: str) -> str:
    url: str = boto3.client("sqs").create_queue(QueueName="mailbox")["QueueUrl"]
    return url


def tell(
    topic: str, *notices: Notice, wanted: Collection[NoticeKind] = tuple(NoticeKind), teams: Mapping[str, Any] = TEAMS
) -> None:
    configuration = a_configuration(notices={"owners": [*wanted]}, shares=teams)
    sender = SnsNotices(boto3.client("sns"), NoticeTopics(topic, f"{topic}-mail"), lambda: configuration)
    for notice in notices:
        sender.notify(notice)


def subscribe(topic: str, url: str, only: Mapping[str, list[Any]] | None = None) -> None:
    arn = boto3.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    attributes = {"RawMessageDelivery": "true", **({"FilterPolicy": json.dumps(only)} if only else {})}
    boto3.client("sns").subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes=attributes)


def received(url: str) -> list[dict[str, Any]]:
    messages = boto3.client("sqs").receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])
    return [json.loads(message["Body"]) for message in messages]


def test_programs_get_the_job_the_reason_and_what_to_do(topic: str, url: str) -> None:
    subscribe(topic, url)
    tell(topic, NOTICE)
    assert received(url) == [
        {
            "id": "resnet/4/failed",
            "kind": "failed",
            "job": "resnet",
            "owner": "role/ada",
            "state": "failed",
            "reason": "The training job failed.",
            "remedy": "Look at it.",
            "team": "vision",
        }
    ]


@pytest.mark.parametrize(
    ("only", "jobs"),
    [
        ({"team": ["vision"]}, ["resnet"]),
        ({"owner": ["role/bob"]}, ["bert"]),
        ({"event": ["parked"]}, ["bert"]),
        ({"job": ["resnet"]}, ["resnet"]),
    ],
)
def test_a_subscription_may_be_for_one_team_owner_event_or_job(
    topic: str, url: str, only: dict[str, list[Any]], jobs: list[str]
) -> None:
    subscribe(topic, url, only)
    tell(topic, NOTICE, replace(NOTICE, kind=NoticeKind.PARKED, job="bert", owner="role/bob"))
    assert [notice["job"] for notice in received(url)] == jobs


@pytest.mark.parametrize(
    ("owner", "team"), [("role/Vision", ""), ("", "vision"), ("", "")], ids=["of an owner", "of a team", "of a tag"]
)
def test_a_spending_limit_has_only_its_own_team_even_if_another_has_all_owners_as_members(
    topic: str, url: str, owner: str, team: str
) -> None:
    subscribe(topic, url)
    limit = Notice(NoticeKind.SPENDING_LIMIT, "", owner, "near", "Nearly used.", "Wait.", team, id="2026-11/limit-0")
    tell(topic, limit, teams={"everybody": {"members": ["*"]}, **TEAMS})
    assert [(notice["owner"], notice["team"]) for notice in received(url)] == [(owner, team)]


def test_unselected_members_are_not_sent(topic: str, url: str) -> None:
    subscribe(topic, url)
    tell(topic, NOTICE, replace(NOTICE, kind=NoticeKind.RESUMED), wanted=[NoticeKind.RESUMED])
    assert [notice["kind"] for notice in received(url)] == ["resumed"]


def test_a_notice_that_cannot_be_sent_is_logged_and_holds_nothing_up(
    topic: str, caplog: pytest.LogCaptureFixture
) -> None:
    log = logging.getLogger("scheduler.adapters.aws.notices.sns_notices")
    log.addHandler(caplog.handler)
    tell(f"{topic}-that-nobody-made", NOTICE)
    log.removeHandler(caplog.handler)
    assert "lost a notice" in caplog.text
