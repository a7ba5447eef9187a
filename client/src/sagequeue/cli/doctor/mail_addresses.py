"""Checks whether the mail addresses of the configuration have confirmed that they want notices."""

from collections.abc import Iterator
from typing import cast

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.answers import unpack
from sagequeue.api.endpoint import stack_name, stack_outputs
from sagequeue.api.transport import Transport
from sagequeue.cli.doctor.permissions import OK, WARNING, Check
from sagequeue.contract.config import Config
from sagequeue.errors import QueueError

_NAME = "mail addresses"
#: What SNS lists in place of the ARN of a subscription that nobody has confirmed.
_PENDING = "PendingConfirmation"
_UNCONFIRMED = (
    "Its owner has to open the link in the mail from AWS. The link is valid for two days; the next version of the "
    "configuration sends a new one."
)


def mail_addresses(transport: Transport, session: boto3.Session) -> Iterator[Check]:
    """Yields the addresses that receive no notices yet, or nothing if the configuration names no addresses."""
    try:
        wanted = _addresses(transport)
        subscriptions = _subscriptions(session) if wanted else {}
    except QueueError:
        return  # the check of the permission to see settings reports it
    except (BotoCoreError, ClientError, LookupError) as error:
        remedy = "If you operate the queue, ask for sns:ListSubscriptionsByTopic on the stack's output MailTopic."
        message = f"The mail addresses of stack {stack_name()!r} cannot be checked: {type(error).__name__}."
        yield Check(_NAME, WARNING, message, f"{remedy} SAGEQUEUE_STACK names the stack.")
        return
    unconfirmed = [address for address in wanted if subscriptions.get(address, _PENDING) == _PENDING]
    yield from (Check(_NAME, WARNING, f"{address} has not confirmed.", _UNCONFIRMED) for address in unconfirmed)
    if wanted and not unconfirmed:
        yield Check(_NAME, OK, f"all {len(wanted)} mail addresses have confirmed")


def _addresses(transport: Transport) -> list[str]:
    config = cast("Config", unpack(transport.send("GET", "/config", None, "Try again.")))
    rules = config["sections"].get("notices", {}).get("mail", ())
    return sorted({address for rule in rules for address in rule["to"]})


def _subscriptions(session: boto3.Session) -> dict[str, str]:
    """Returns the ARN of the subscription of each address."""
    topic = stack_outputs(session)["MailTopic"]
    pages = session.client("sns").get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic)
    return {entry["Endpoint"].lower(): entry["SubscriptionArn"] for page in pages for entry in page["Subscriptions"]}
