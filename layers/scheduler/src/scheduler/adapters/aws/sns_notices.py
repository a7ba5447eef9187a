"""Sends notices through SNS: text for mails, JSON for programs, and attributes for filters of subscriptions."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.core.configuration.configuration import Configuration
from scheduler.core.history.notices import Notice
from scheduler.core.jobs.team import team_of

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_sns.type_defs import MessageAttributeValueTypeDef

logger = logging.getLogger(__name__)


class SnsNotices:
    """The port `Notifier`. Sends only the kinds of notices that the current configuration requests."""

    def __init__(self, client: SNSClient, topic_arn: str, current: Callable[[], Configuration]) -> None:
        self._client = client
        self._topic_arn = topic_arn
        self._current = current

    def notify(self, notice: Notice) -> None:
        configuration = self._current()
        if notice.kind not in configuration.notices.owners:
            return
        team = team_of(notice.owner, configuration.teams)
        values = {**asdict(notice), "team": notice.team or (team.name if team else "")}
        try:
            self._client.publish(
                TopicArn=self._topic_arn,
                Subject=f"SageQueue: {_with_job(notice, ' ', _kind(notice))}",  # a name has at most 63 characters
                MessageStructure="json",
                Message=json.dumps(_by_protocol(notice, values)),
                MessageAttributes=_attributes(values),
            )
        except (ClientError, BotoCoreError) as error:
            # A lost notice does not stop the queue: `sagequeue show` has the same content.
            logger.error("lost a notice", extra={"job": notice.job, "kind": notice.kind, "cause": type(error).__name__})  # noqa: TRY400 - no trace: its text may quote the message


def _by_protocol(notice: Notice, values: Mapping[str, str]) -> dict[str, str]:
    """Returns text for people, JSON for programs, and the form that Amazon Q Developer shows in chat applications."""
    owner = ("", f"Owner: {notice.owner}") if notice.owner else ()
    lines = (_with_job(notice, ": ", notice.reason), "", f"What to do: {notice.remedy}", *owner, "")
    chat = {
        "version": "1.0",
        "source": "custom",
        "content": {
            "title": _with_job(notice, ": ", _kind(notice)),
            "description": notice.reason,
            "nextSteps": [notice.remedy],
        },
        "metadata": {"additionalContext": values},
    }
    text = json.dumps(values)
    return {"default": "\n".join(lines), "sqs": text, "lambda": text, "https": json.dumps(chat)}


def _with_job(notice: Notice, joint: str, text: str) -> str:
    return f"{notice.job}{joint}{text}" if notice.job else text


def _kind(notice: Notice) -> str:
    return notice.kind.replace("_", " ")


def _attributes(values: Mapping[str, str]) -> dict[str, MessageAttributeValueTypeDef]:
    """Returns the attributes that subscriptions can filter by. SNS accepts no empty value."""
    attributes = {"event": values["kind"], "job": values["job"], "owner": values["owner"], "team": values["team"]}
    return {name: {"DataType": "String", "StringValue": value} for name, value in attributes.items() if value}
