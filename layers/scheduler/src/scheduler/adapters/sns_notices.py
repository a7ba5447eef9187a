"""Notices through SNS: text for mails, JSON for programs, and attributes that a subscription can filter by."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from dataclasses import asdict
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.domain.notice import Notice, NoticeKind

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_sns.type_defs import MessageAttributeValueTypeDef

logger = logging.getLogger(__name__)


class SnsNotices:
    """The port `Notifier`; only kinds in `wanted` are sent."""

    def __init__(self, client: SNSClient, topic_arn: str, wanted: Collection[NoticeKind]) -> None:
        self._client = client
        self._topic_arn = topic_arn
        self._wanted = wanted

    def tell(self, notice: Notice) -> None:
        if notice.kind not in self._wanted:
            return
        try:
            self._client.publish(
                TopicArn=self._topic_arn,
                Subject=f"SageQueue: {notice.job} {notice.kind.replace('_', ' ')}",  # a name has 63 characters at most
                MessageStructure="json",
                Message=json.dumps(_by_protocol(notice)),
                MessageAttributes=_attributes(notice),
            )
        except (ClientError, BotoCoreError) as error:
            # The queue goes on: what a notice says can be read with `sagequeue show` as well.
            logger.error("lost a notice", extra={"job": notice.job, "kind": notice.kind, "cause": type(error).__name__})  # noqa: TRY400 - no trace: its text may quote the message


def _by_protocol(notice: Notice) -> dict[str, str]:
    """Text for people, JSON for programs, and for chat what Amazon Q Developer in chat applications shows."""
    lines = (f"{notice.job}: {notice.reason}", "", f"What to do: {notice.remedy}", "", f"Owner: {notice.owner}", "")
    values = json.dumps(asdict(notice))
    chat = {
        "version": "1.0",
        "source": "custom",
        "content": {
            "title": f"{notice.job}: {notice.kind.replace('_', ' ')}",
            "description": notice.reason,
            "nextSteps": [notice.remedy],
        },
        "metadata": {"additionalContext": asdict(notice)},
    }
    return {"default": "\n".join(lines), "sqs": values, "lambda": values, "https": json.dumps(chat)}


def _attributes(notice: Notice) -> dict[str, MessageAttributeValueTypeDef]:
    return {
        name: {"DataType": "String", "StringValue": value}
        for name, value in (("event", notice.kind.value), ("job", notice.job), ("owner", notice.owner))
    }
