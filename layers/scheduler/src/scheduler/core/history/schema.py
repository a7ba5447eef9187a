"""The schema of the section `notices`: which notices are sent, and which addresses and webhooks receive them."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from scheduler.core.history.mail import MailRule, addresses_in
from scheduler.core.history.notices import NoticeKind
from scheduler.core.history.subscriber import Conditions
from scheduler.core.history.webhooks.webhook import Webhook, WebhookFormat, WebhookUrl
from scheduler.core.sections.schema import FieldProblem, Schema
from scheduler.core.sections.strict_structure import check_field

#: Kinds that require no action.
_ON_REQUEST = {
    NoticeKind.STARTED,
    NoticeKind.COMPLETED,
    NoticeKind.INTERRUPTED,
    NoticeKind.PREEMPTED,
    NoticeKind.RESUMED,
    NoticeKind.DIGEST,
}


_DEFAULT_KINDS = tuple(kind for kind in NoticeKind if kind not in _ON_REQUEST)
#: In lower case, because SNS compares the addresses in filters exactly.
_ADDRESS = re.compile(r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+")
#: SNS allows a topic 200 filters, and each address has one.
_MOST_ADDRESSES = 100
#: Each webhook adds an SNS call to each notice that it receives.
_MOST_WEBHOOKS = 20
_LAST_HOUR = 23


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subscriber:
    owners: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    kinds: tuple[NoticeKind, ...] = _DEFAULT_KINDS

    @property
    def conditions(self) -> Conditions:
        return Conditions(self.owners, self.teams, self.kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class _MailRule(_Subscriber):
    """Email addresses, and the notices that they receive. Without owners and teams, the notices cover all jobs."""

    to: tuple[str, ...]

    def __post_init__(self) -> None:
        check_field("to", self.to, "is empty: list email addresses")
        wrong = next((address for address in self.to if not _ADDRESS.fullmatch(address)), "")
        check_field("to", not wrong, f"has {wrong[:100]!r}, which is not an email address in lower case")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Webhook(_Subscriber):
    """An HTTPS endpoint, and the notices that it receives. Without owners and teams, the notices cover all jobs."""

    url: str
    format: WebhookFormat = WebhookFormat.JSON

    def __post_init__(self) -> None:
        try:
            WebhookUrl.parse(self.url)
        except ValueError as error:
            raise ValueError("url", str(error)) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Notices:
    """The kinds of notices that the topic for owners receives, and the notices for email addresses and webhooks."""

    owners: tuple[NoticeKind, ...] = _DEFAULT_KINDS
    mail: tuple[_MailRule, ...] = ()
    webhooks: tuple[_Webhook, ...] = ()
    digest_hour: int = 6  # in UTC

    def __post_init__(self) -> None:
        check_field(
            "digest_hour", 0 <= self.digest_hour <= _LAST_HOUR, f"is {self.digest_hour}: use an hour in UTC, 0 to 23"
        )


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    owners: tuple[NoticeKind, ...]
    mail: tuple[MailRule, ...]
    webhooks: tuple[Webhook, ...]
    digest_hour: int

    def sends(self, kind: NoticeKind) -> bool:
        """Returns whether any subscriber receives notices of this kind."""
        subscribers: tuple[MailRule | Webhook, ...] = (*self.mail, *self.webhooks)
        return kind in self.owners or any(kind in subscriber.conditions.kinds for subscriber in subscribers)


def problems(
    settings: NoticeSettings, teams: Collection[str], webhook_hosts: Collection[str]
) -> Iterator[FieldProblem]:
    """Yields unknown teams, webhooks on hosts that the stack does not allow, and too many addresses or webhooks."""
    named: dict[str, Sequence[MailRule | Webhook]] = {"mail": settings.mail, "webhooks": settings.webhooks}
    for member, subscribers in named.items():
        for index, subscriber in enumerate(subscribers):
            if unknown := [team for team in subscriber.conditions.teams if team not in teams]:
                yield f"{member}[{index}].teams", f"{unknown[0][:50]!r} is not a team of the section shares"
    if (count := len(addresses_in(settings.mail))) > _MOST_ADDRESSES:
        yield "mail", f"has {count} addresses, but may have {_MOST_ADDRESSES}: use the address of a mailing list"
    if (count := len(settings.webhooks)) > _MOST_WEBHOOKS:
        yield "webhooks", f"has {count} entries, but may have {_MOST_WEBHOOKS}"
    for index, webhook in enumerate(settings.webhooks):
        if (host := WebhookUrl.parse(webhook.url).host) not in webhook_hosts:
            yield f"webhooks[{index}].url", f"{host!r} is not among the stack's parameter WebhookHosts"


def _settings(content: _Notices) -> NoticeSettings:
    return NoticeSettings(
        owners=content.owners,
        mail=tuple(MailRule(rule.to, rule.conditions) for rule in content.mail),
        webhooks=tuple(Webhook(entry.url, entry.format, entry.conditions) for entry in content.webhooks),
        digest_hour=content.digest_hour,
    )


SCHEMA: Schema[NoticeSettings] = Schema(_Notices, _settings)
