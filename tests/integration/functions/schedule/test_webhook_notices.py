"""Notices for webhooks go through moto's SNS and SQS to an HTTPS endpoint on loopback."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest

from integration.functions.conftest import ROOT, configure
from integration.functions.schedule.test_mailed_notices import deliver
from local_sagemaker.simulation import Simulation
from scheduler.adapters.dynamodb.records.job_records import job_key
from scheduler.wiring import webhooks
from support.account.simulated_queue import request
from support.https.sink import HOST, Sink, sink
from support.stack.expanded_template import Stack
from webhooks.handler import handle

Call = Callable[..., tuple[int, dict[str, Any]]]
ALL, OF_BOB = f"https://{HOST}/all", f"https://{HOST}/bob"


@pytest.fixture
def topic(table: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The topic of selected notices, which the functions know."""
    arn: str = boto3.client("sns").create_topic(Name="selected")["TopicArn"]
    secret = boto3.client("secretsmanager").create_secret(Name="webhooks", SecretString="secret")["ARN"]
    settings = {"MAIL_TOPIC": arn, "HISTORY_DAYS": "365", "EVENT_BUS": "", "WEBHOOK_SECRET": secret}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return arn


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sink]:
    with sink() as found:
        monkeypatch.setattr(webhooks, "network", found.network)
        yield found


def subscribed(topic: str, subscription: dict[str, Any], name: str) -> str:
    """Returns the URL of a queue that has such a subscription."""
    sqs = boto3.client("sqs")
    url: str = sqs.create_queue(QueueName=name)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    attributes = {"RawMessageDelivery": "true", "FilterPolicy": json.dumps(subscription["FilterPolicy"])}
    boto3.client("sns").subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes=attributes)
    return url


def records(url: str) -> list[dict[str, Any]]:
    """Returns the messages of a queue as Lambda passes them to a function."""
    found = boto3.client("sqs").receive_message(QueueUrl=url, MaxNumberOfMessages=10, MessageAttributeNames=["All"])
    return [
        {
            "messageId": message["MessageId"],
            "body": message["Body"],
            "messageAttributes": {
                name: {"stringValue": value["StringValue"]} for name, value in message["MessageAttributes"].items()
            },
        }
        for message in found.get("Messages", [])
    ]


def test_webhooks_receive_the_notices_that_name_them_and_mail_addresses_do_not(
    table: str, call: Call, topic: str, endpoint: Sink, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    entries = [{"url": ALL, "kinds": ["started", "failed"]}, {"url": OF_BOB, "owners": ["bob"]}]
    configure(call, notices={"owners": [], "webhooks": entries})
    of_template = Stack.load().of_type("AWS::SNS::Subscription")["WebhookNotices"]
    queue, mailbox = subscribed(topic, of_template, "webhooks"), subscribed(topic, {"FilterPolicy": {"to": ["a"]}}, "a")
    call("POST", "/add-job", request("resnet"))
    schedule()
    deliver(table, job_key("resnet"))
    sagemaker.fail("resnet-sq-1", "AlgorithmError: s3cret")
    schedule()
    deliver(table, job_key("resnet"))
    assert handle({"Records": records(queue)}, None) == {"batchItemFailures": []}
    received = {json.loads(one.body)["kind"]: one.path for one in endpoint.received}
    assert received == {"started": "/all", "failed": "/all"}
    assert records(mailbox) == []


def test_a_webhook_on_a_host_that_the_stack_does_not_allow_is_refused(table: str, call: Call) -> None:
    entry = {"url": "https://evil.example.org/queue"}
    status, body = call("PUT", "/config", {"notices": {"webhooks": [entry]}}, caller=ROOT)
    assert status == 400
    assert "'evil.example.org' is not among the stack's parameter WebhookHosts" in json.dumps(body)
