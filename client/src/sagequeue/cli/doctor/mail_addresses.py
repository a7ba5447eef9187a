"""Checks whether all email addresses in the configuration and the stack have confirmed their subscriptions."""

from collections.abc import Iterator, Sequence
from typing import cast

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.answers import unpack
from sagequeue.api.endpoint import stack_name, stack_outputs, stack_parameters
from sagequeue.api.transport import Transport
from sagequeue.cli.doctor.permissions import OK, WARNING, Check
from sagequeue.contract.config import Config
from sagequeue.errors import QueueError

_NAME = "email addresses"
#: SNS lists this in place of the ARN of an unconfirmed subscription.
_PENDING = "PendingConfirmation"
_UNCONFIRMED = (
    "Its owner has to open the link in the mail from AWS. The link is valid for two days; the next version of the "
    "configuration sends a new one."
)
_UNCONFIRMED_PARAMETER = (
    "Its owner has to open the link in the mail from AWS. The link is valid for two days; then run `aws sns subscribe` "
    "on the stack's output NoticesTopic."
)


def mail_addresses(transport: Transport, session: boto3.Session) -> Iterator[Check]:
    """Yields the addresses that receive no notices yet, or nothing if there are no addresses."""
    try:
        wanted = {"MailTopic": _addresses(transport), "NoticesTopic": _address_of_stack(session)}
        unconfirmed = {topic: _unconfirmed(session, topic, named) for topic, named in wanted.items() if named}
    except QueueError:
        return  # the check of the permission to see settings reports this
    except (BotoCoreError, ClientError, LookupError) as error:
        remedy = "If you operate the queue, ask for sns:ListSubscriptionsByTopic on the stack's topics of notices."
        message = f"The email addresses of stack {stack_name()!r} cannot be checked: {type(error).__name__}."
        yield Check(_NAME, WARNING, message, f"{remedy} SAGEQUEUE_STACK names the stack.")
        return
    for topic, addresses in unconfirmed.items():
        remedy = _UNCONFIRMED if topic == "MailTopic" else _UNCONFIRMED_PARAMETER
        yield from (Check(_NAME, WARNING, f"{address} has not confirmed.", remedy) for address in addresses)
    if unconfirmed and not any(unconfirmed.values()):
        count = len({address for addresses in wanted.values() for address in addresses})
        yield Check(_NAME, OK, f"all {count} email addresses have confirmed")


def _addresses(transport: Transport) -> list[str]:
    config = cast("Config", unpack(transport.send("GET", "/config", None, "Try again.")))
    rules = config["sections"].get("notices", {}).get("mail", ())
    return sorted({address for rule in rules for address in rule["to"]})


def _address_of_stack(session: boto3.Session) -> list[str]:
    """Returns the parameter NoticesEmail; nothing if it is empty, or if the caller cannot describe the stack."""
    try:
        address = stack_parameters(session).get("NoticesEmail", "")
    except (BotoCoreError, ClientError):
        return []
    return [address.lower()] if address else []


def _unconfirmed(session: boto3.Session, topic: str, addresses: Sequence[str]) -> list[str]:
    """Returns the addresses whose subscriptions to the topic are unconfirmed."""
    arn = stack_outputs(session)[topic]
    pages = session.client("sns").get_paginator("list_subscriptions_by_topic").paginate(TopicArn=arn)
    known = {entry["Endpoint"].lower(): entry["SubscriptionArn"] for page in pages for entry in page["Subscriptions"]}
    return [address for address in addresses if known.get(address, _PENDING) == _PENDING]
