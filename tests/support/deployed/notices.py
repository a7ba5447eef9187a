"""Receives the notices that the stack's topics publish."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3


@dataclass(frozen=True)
class Mailbox:
    url: str

    def notices(self) -> dict[str, dict[str, Any]]:
        """Returns the notices by job. A notice that is not deleted is delivered again."""
        messages = boto3.client("sqs").receive_message(
            QueueUrl=self.url, MaxNumberOfMessages=10, VisibilityTimeout=0, WaitTimeSeconds=1
        )
        found = [json.loads(message["Body"]) for message in messages.get("Messages", [])]
        return {notice["job"]: notice for notice in found}


@contextmanager
def subscribed(topic: str) -> Iterator[Mailbox]:
    """Yields a mailbox that is subscribed to the topic."""
    sqs, sns = boto3.client("sqs"), boto3.client("sns")
    url = sqs.create_queue(QueueName="mailbox")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(_may_publish(topic, arn))})
    subscription = sns.subscribe(
        TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": "true"}
    )["SubscriptionArn"]
    yield Mailbox(url)
    sns.unsubscribe(SubscriptionArn=subscription)
    sqs.delete_queue(QueueUrl=url)


def _may_publish(topic: str, queue: str) -> dict[str, Any]:
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "sns.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": queue,
        "Condition": {"ArnEquals": {"aws:SourceArn": topic}},
    }
    return {"Version": "2012-10-17", "Statement": [statement]}
