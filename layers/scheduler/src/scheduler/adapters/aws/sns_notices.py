"""Sends notices through SNS: text for mails, JSON for programs, and attributes for filters of subscriptions."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.core.configuration.configuration import Configuration
from scheduler.core.history.notices import Notice
from scheduler.core.jobs.team import team_of
from scheduler.errors.internal import NoticesRefused

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_sns.type_defs import MessageAttributeValueTypeDef

logger = logging.getLogger(__name__)

#: Codes of SNS for a message, a topic, a permission or a key that stays wrong until somebody corrects it.
_FINAL = frozenset(
    {
        "InvalidParameter",
        "InvalidParameterValue",
        "ValidationError",
        "NotFound",
        "AuthorizationError",
        "AccessDenied",
        "AccessDeniedException",
        "KMSAccessDenied",
        "KMSDisabled",
        "KMSInvalidState",
        "KMSNotFound",
    }
)
#: How many ids of sent notices a function remembers.
_MOST_REMEMBERED = 1_000


class SnsNotices:
    """The ports `Notifier` and `NoticeSender`. Sends only the notices that operators or the job's owner chose."""

    def __init__(self, client: SNSClient, topic_arn: str, current: Callable[[], Configuration]) -> None:
        self._client = client
        self._topic_arn = topic_arn
        self._current = current
        self._sent: dict[str, None] = {}  # ids, the oldest first

    def notify(self, notice: Notice) -> None:
        try:
            self._publish(notice)
        except (ClientError, BotoCoreError) as error:
            _log_lost(notice, error)  # the queue continues: `sagequeue show` has the content of the notice too

    def send(self, notices: Iterable[Notice]) -> None:
        refused = 0
        for notice in notices:
            if notice.id in self._sent:
                continue  # the whole batch is repeated after an error, which need not be an error of this notice
            try:
                self._publish(notice)
            except (ClientError, BotoCoreError) as error:
                if _may_pass(error):
                    refused += 1
                else:
                    _log_lost(notice, error)
            else:
                self._remember(notice.id)
        if refused:
            raise NoticesRefused(f"{refused} notices")

    def _remember(self, identity: str) -> None:
        self._sent[identity] = None
        if len(self._sent) > _MOST_REMEMBERED:
            del self._sent[next(iter(self._sent))]

    def _publish(self, notice: Notice) -> None:
        configuration = self._current()
        if not (notice.is_chosen or notice.kind in configuration.notices.owners):
            return
        team = team_of(notice.owner, configuration.teams)
        values = _values(notice, notice.team or (team.name if team else ""))
        self._client.publish(
            TopicArn=self._topic_arn,
            Subject=f"SageQueue: {_with_job(notice, ' ', _kind(notice))}",  # a name has 63 characters at most
            MessageStructure="json",
            Message=json.dumps(_by_protocol(notice, values)),
            MessageAttributes=_attributes(values),
        )


def _may_pass(error: ClientError | BotoCoreError) -> bool:
    """Returns whether a repeat may succeed. Repeats of a final refusal would only delay the history."""
    return isinstance(error, BotoCoreError) or error.response["Error"]["Code"] not in _FINAL


def _log_lost(notice: Notice, error: Exception) -> None:
    # No trace: its text may quote the message.
    logger.error("lost a notice", extra={"job": notice.job, "kind": notice.kind, "cause": type(error).__name__})


def _values(notice: Notice, team: str) -> dict[str, str]:
    return {
        "id": notice.id,
        "kind": notice.kind.value,
        "job": notice.job,
        "owner": notice.owner,
        "team": team,
        "state": notice.state,
        "reason": notice.reason,
        "remedy": notice.remedy,
    }


def _by_protocol(notice: Notice, values: Mapping[str, str]) -> dict[str, str]:
    """Returns text for people, JSON for programs, and the form that Amazon Q Developer shows in chat applications."""
    owner = ("", f"Owner: {notice.owner}") if notice.owner else ()
    end = (*owner, "", f"Notice {notice.id}", "")
    lines = (_with_job(notice, ": ", notice.reason), "", f"What to do: {notice.remedy}", *end)
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
