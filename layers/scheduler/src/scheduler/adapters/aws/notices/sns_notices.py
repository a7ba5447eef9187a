"""Sends notices through SNS: text for emails, JSON for programs, and attributes for subscription filters."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.core.configuration.configuration import Configuration
from scheduler.core.history.mail import addresses_for
from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.history.webhooks.webhook import Webhook, webhooks_for
from scheduler.core.jobs.team import Team, team_chosen
from scheduler.errors.internal import NoticesRefused

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_sns.type_defs import MessageAttributeValueTypeDef

logger = logging.getLogger(__name__)

#: SNS error codes for a message, a topic, a permission or a key that stays wrong until somebody corrects it.
_FINAL = frozenset(
    {
        "InvalidParameter",
        "ParameterValueInvalid",
        "ValidationError",
        "ValidationException",
        "NotFound",
        "EndpointDisabled",
        "PlatformApplicationDisabled",
        "AuthorizationError",
        "AccessDenied",
        "AccessDeniedException",
        "InvalidSecurity",
        "KMSAccessDenied",
        "KMSDisabled",
        "KMSInvalidState",
        "KMSNotFound",
        "KMSOptInRequired",
        "SubscriptionLimitExceeded",
        "FilterPolicyLimitExceeded",
        "ReplayLimitExceeded",
    }
)
#: The attribute with the addresses to which a notice is emailed. Each subscription's filter names one address.
ADDRESSES = "to"
#: The attributes of a notice for a webhook. The webhooks' SQS queue subscribes to messages that have the first one.
WEBHOOK, WEBHOOK_FORMAT = "webhook", "format"
#: The number of sent messages that a function remembers.
_MOST_REMEMBERED = 1_000


@dataclass(frozen=True, slots=True)
class NoticeTopics:
    owners: str  # the ARN of the topic that people and programs subscribe to
    selected: str  # … and that of the topic for the configuration's email addresses and webhooks


@dataclass(frozen=True, slots=True)
class _Message:
    notice: Notice
    topic: str
    team: str
    to: tuple[str, ...] = ()  # email addresses
    webhook: Webhook | None = None

    @property
    def key(self) -> str:
        return f"{self.topic} {self.webhook.url if self.webhook else ''} {self.notice.id}"


class SnsNotices:
    """Implements the ports `Notifier` and `NoticeSender`.

    Sends only notices that operators or the job's owner chose.
    """

    def __init__(self, client: SNSClient, topics: NoticeTopics, current: Callable[[], Configuration]) -> None:
        self._client = client
        self._topics = topics
        self._current = current
        self._sent: dict[str, None] = {}  # message keys, oldest first

    def notify(self, notice: Notice) -> None:
        for message in self._messages(notice):
            try:
                self._publish(message)
            except (ClientError, BotoCoreError) as error:
                _log_lost(notice, error)  # the queue continues: `sagequeue show` also has the notice's content

    def send(self, notices: Iterable[Notice]) -> None:
        messages = [message for notice in notices for message in self._messages(notice)]
        # The whole batch is repeated after an error, which may not concern every message.
        refused = sum(not self._is_sent(message) for message in messages if message.key not in self._sent)
        if refused:
            raise NoticesRefused(f"{refused} notices")

    def _messages(self, notice: Notice) -> Iterator[_Message]:
        configuration = self._current()
        team = _team_of(notice, configuration.teams)
        if notice.is_chosen or notice.kind in configuration.notices.owners:
            yield _Message(notice, self._topics.owners, team)
        if addresses := addresses_for(notice, team, configuration.notices.mail):
            yield _Message(notice, self._topics.selected, team, addresses)
        # Each webhook gets its own message, so that only this message is repeated.
        for webhook in webhooks_for(notice, team, configuration.notices.webhooks):
            yield _Message(notice, self._topics.selected, team, webhook=webhook)

    def _is_sent(self, message: _Message) -> bool:
        """Returns whether the message needs no retry: SNS has accepted it, or has permanently rejected it."""
        try:
            self._publish(message)
        except (ClientError, BotoCoreError) as error:
            if may_pass(error):
                return False
            _log_lost(message.notice, error)
            return True
        self._sent[message.key] = None
        if len(self._sent) > _MOST_REMEMBERED:
            del self._sent[next(iter(self._sent))]
        return True

    def _publish(self, message: _Message) -> None:
        notice, values = message.notice, _values(message.notice, message.team)
        self._client.publish(
            TopicArn=message.topic,
            Subject=f"SageQueue: {_with_job(notice, ' ', _kind(notice))}",  # a name has 63 characters at most
            MessageStructure="json",
            Message=json.dumps(_by_protocol(notice, values)),
            MessageAttributes=_attributes(values, message),
        )


def may_pass(error: ClientError | BotoCoreError) -> bool:
    """Returns whether a retry may succeed. Retries after a permanent rejection would only delay the history."""
    return isinstance(error, BotoCoreError) or error.response["Error"]["Code"] not in _FINAL


def _team_of(notice: Notice, teams: Sequence[Team]) -> str:
    """Returns the team that the notice concerns; empty if there is none."""
    if notice.kind is NoticeKind.SPENDING_LIMIT:
        return notice.team  # a limit of an owner or a tag concerns no team, even if one has all owners as members
    found = team_chosen(notice.team, notice.owner, teams)
    return found.name if found else notice.team


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


def _attributes(values: Mapping[str, str], message: _Message) -> dict[str, MessageAttributeValueTypeDef]:
    """Returns the attributes that subscriptions can filter by. SNS accepts no empty values."""
    texts = {"event": values["kind"], "job": values["job"], "owner": values["owner"], "team": values["team"]}
    if hook := message.webhook:
        texts |= {WEBHOOK: hook.url, WEBHOOK_FORMAT: hook.format}
    attributes: dict[str, MessageAttributeValueTypeDef] = {
        name: {"DataType": "String", "StringValue": value} for name, value in texts.items() if value
    }
    if message.to:
        attributes[ADDRESSES] = {"DataType": "String.Array", "StringValue": json.dumps(message.to)}
    return attributes
