"""Email addresses of the configuration are subscribed through moto's SNS, and each receives its own notices."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from unittest.mock import MagicMock

import boto3
import pytest
from botocore.exceptions import ClientError

from integration.functions.conftest import configure
from local_sagemaker.simulation import Simulation
from scheduler.adapters.aws.notices.sns_subscriptions import SnsMailSubscriptions
from scheduler.adapters.dynamodb.records.job_records import job_key
from scheduler.errors.internal import NoticesRefused
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]
ADA = {"to": ["ada@example.org"], "owners": ["ada"], "kinds": ["started"]}
OPS = {"to": ["ops@example.org", "ada@example.org"], "kinds": ["failed"]}


@pytest.fixture
def topic(table: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The topic of mailed notices, which the functions know."""
    arn: str = boto3.client("sns").create_topic(Name="mail")["TopicArn"]
    monkeypatch.setenv("MAIL_TOPIC", arn)
    monkeypatch.setenv("NOTICE_TOPIC", boto3.client("sns").create_topic(Name="notices")["TopicArn"])
    monkeypatch.setenv("HISTORY_DAYS", "365")
    monkeypatch.setenv("EVENT_BUS", "")
    return arn


def deliver(table: str, key: dict[str, Any]) -> None:
    """Delivers the stream's record of an item."""
    from history.handler import handle

    image = boto3.client("dynamodb").get_item(TableName=table, Key=key)["Item"]
    handle(
        {"Records": [{"dynamodb": {"ApproximateCreationDateTime": datetime.now(UTC).timestamp(), "NewImage": image}}]},
        None,
    )


def deliver_version(table: str, number: int) -> None:
    deliver(table, {"pk": {"S": "CONFIG"}, "sk": {"S": f"{number:08d}"}})


def filters(topic: str) -> dict[str, Any]:
    """Returns the filter of each subscription by its address."""
    sns = boto3.client("sns")
    found = sns.list_subscriptions_by_topic(TopicArn=topic)["Subscriptions"]
    attributes = {
        entry["Endpoint"]: sns.get_subscription_attributes(SubscriptionArn=entry["SubscriptionArn"])["Attributes"]
        for entry in found
    }
    return {address: json.loads(values["FilterPolicy"]) for address, values in attributes.items()}


def test_each_address_of_a_new_version_is_subscribed_once(table: str, call: Call, topic: str) -> None:
    configure(call, notices={"mail": [ADA, OPS]})
    deliver_version(table, 1)
    deliver_version(table, 1)
    assert filters(topic) == {address: {"to": [address]} for address in ("ada@example.org", "ops@example.org")}
    configure(call, notices={"mail": [{**OPS, "to": ["new@example.org"]}]})
    deliver_version(table, 2)
    assert filters(topic).keys() == {"ada@example.org", "ops@example.org", "new@example.org"}


def test_without_mail_rules_sns_is_not_called(table: str, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HISTORY_DAYS", "365")
    monkeypatch.setenv("EVENT_BUS", "")
    monkeypatch.setenv("MAIL_TOPIC", "arn:aws:sns:eu-west-1:000000000000:missing")
    configure(call, notices={"owners": ["failed"]})
    deliver_version(table, 1)


def test_a_final_refusal_to_list_the_subscriptions_holds_nothing_up(
    topic: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = MagicMock()
    pages = client.get_paginator.return_value.paginate
    subscriptions = SnsMailSubscriptions(client, topic)
    pages.side_effect = ClientError({"Error": {"Code": "AuthorizationError"}}, "ListSubscriptionsByTopic")
    subscriptions.ensure(["ada@example.org"])
    assert caplog.messages == ["cannot list the subscriptions"]
    pages.side_effect = ClientError({"Error": {"Code": "InternalError"}}, "ListSubscriptionsByTopic")
    with pytest.raises(NoticesRefused):
        subscriptions.ensure(["ada@example.org"])


def test_an_address_receives_the_notices_that_name_it(
    table: str, call: Call, topic: str, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    configure(call, notices={"mail": [ADA, OPS]})
    inboxes = {address: inbox(topic, address) for address in ("ada@example.org", "ops@example.org")}
    call("POST", "/add-job", request("resnet"))
    schedule()
    deliver(table, job_key("resnet"))
    sagemaker.fail("resnet-sq-1", "AlgorithmError: s3cret")
    schedule()
    deliver(table, job_key("resnet"))
    received = {address: [notice["kind"] for notice in notices(url)] for address, url in inboxes.items()}
    assert received == {"ada@example.org": ["started", "failed"], "ops@example.org": ["failed"]}


def inbox(topic: str, address: str) -> str:
    """Returns the URL of a queue that has the filter of the address: moto sends no mail."""
    sqs = boto3.client("sqs")
    url: str = sqs.create_queue(QueueName=address.partition("@")[0])["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    attributes = {"RawMessageDelivery": "true", "FilterPolicy": json.dumps({"to": [address]})}
    boto3.client("sns").subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes=attributes)
    return url


def notices(url: str) -> list[dict[str, Any]]:
    messages = boto3.client("sqs").receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])
    return [json.loads(message["Body"]) for message in messages]


def test_a_topic_that_fails_takes_no_notice_of_the_other_with_it(
    table: str, call: Call, topic: str, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    configure(call, notices={"owners": ["started"], "mail": [ADA]})
    boto3.client("sns").delete_topic(TopicArn=topic.replace(":mail", ":notices"))
    url = inbox(topic, "ada@example.org")
    call("POST", "/add-job", request("resnet"))
    schedule()
    deliver(table, job_key("resnet"))
    assert [notice["kind"] for notice in notices(url)] == ["started"]
