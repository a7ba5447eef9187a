"""Subscribes the configuration's email addresses to the topic for emailed notices.

It never unsubscribes: SNS delivers a notice only to the addresses that its attribute `to` names. So an address that the
configuration no longer names receives nothing, and the function needs no permission to delete subscriptions.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.adapters.aws.notices.sns_notices import ADDRESSES, may_pass
from scheduler.errors.internal import NoticesRefused

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SnsMailSubscriptions:
    """Implements the port `MailSubscriptions`."""

    client: SNSClient
    topic_arn: str

    def ensure(self, addresses: Collection[str]) -> None:
        if not addresses:
            return
        try:
            known = self._known()
        except (ClientError, BotoCoreError) as error:
            if may_pass(error):
                raise NoticesRefused("the list of subscriptions") from error
            _log_refusal("cannot list the subscriptions", error)
            return
        refused = sum(not self._is_subscribed(address) for address in addresses if address not in known)
        if refused:
            raise NoticesRefused(f"{refused} subscriptions")

    def _known(self) -> Collection[str]:
        # An unconfirmed address is listed, too: it is not asked again until SNS forgets it.
        pages = self.client.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=self.topic_arn)
        return {subscription["Endpoint"].lower() for page in pages for subscription in page["Subscriptions"]}

    def _is_subscribed(self, address: str) -> bool:
        """Returns whether the address needs no retry: it is now subscribed, or SNS has permanently rejected it."""
        only_to_it = json.dumps({ADDRESSES: [address]})
        try:
            self.client.subscribe(
                TopicArn=self.topic_arn, Protocol="email", Endpoint=address, Attributes={"FilterPolicy": only_to_it}
            )
        except (ClientError, BotoCoreError) as error:
            if may_pass(error):
                return False
            _log_refusal("cannot subscribe an address", error)
        return True


def _log_refusal(what: str, error: Exception) -> None:
    # No trace and no address: logs must not name people.
    logger.error(what, extra={"cause": type(error).__name__})
