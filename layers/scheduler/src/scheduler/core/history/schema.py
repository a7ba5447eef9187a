"""The schema of the section `notices`: which notices are sent, and which addresses receive them by mail."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from scheduler.core.history.mail import MailRule, addresses_in
from scheduler.core.history.notices import NoticeKind
from scheduler.core.sections.schema import FieldProblem, Schema
from scheduler.core.sections.strict_structure import check_field

#: Kinds that are frequent, and on which nobody has to act.
_ON_REQUEST = {
    NoticeKind.STARTED,
    NoticeKind.COMPLETED,
    NoticeKind.INTERRUPTED,
    NoticeKind.PREEMPTED,
    NoticeKind.RESUMED,
}


_DEFAULT_KINDS = tuple(kind for kind in NoticeKind if kind not in _ON_REQUEST)
#: In lower case, because SNS compares the addresses in filters letter by letter.
_ADDRESS = re.compile(r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+")
#: SNS allows a topic 200 filters, and each address has one.
_MOST_ADDRESSES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _MailRule:
    """Mail addresses, and the notices that they receive. Without owners and teams, they receive those of all jobs."""

    to: tuple[str, ...]
    owners: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    kinds: tuple[NoticeKind, ...] = _DEFAULT_KINDS

    def __post_init__(self) -> None:
        check_field("to", self.to, "is empty: list mail addresses")
        wrong = next((address for address in self.to if not _ADDRESS.fullmatch(address)), "")
        check_field("to", not wrong, f"has {wrong[:100]!r}, which is not a mail address in lower case")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Notices:
    """The kinds of notices that the topic for owners receives, and the notices that are mailed."""

    owners: tuple[NoticeKind, ...] = _DEFAULT_KINDS
    mail: tuple[_MailRule, ...] = ()


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    owners: tuple[NoticeKind, ...]
    mail: tuple[MailRule, ...]


def problems(settings: NoticeSettings, teams: Collection[str]) -> Iterator[FieldProblem]:
    """Yields unknown teams, and too many addresses."""
    for index, rule in enumerate(settings.mail):
        if unknown := [team for team in rule.teams if team not in teams]:
            yield f"mail[{index}].teams", f"{unknown[0][:50]!r} is not a team of the section shares"
    if (count := len(addresses_in(settings.mail))) > _MOST_ADDRESSES:
        yield "mail", f"has {count} addresses, but may have {_MOST_ADDRESSES}: use the address of a mailing list"


def _settings(content: _Notices) -> NoticeSettings:
    rules = (MailRule(rule.to, rule.owners, rule.teams, rule.kinds) for rule in content.mail)
    return NoticeSettings(content.owners, tuple(rules))


SCHEMA: Schema[NoticeSettings] = Schema(_Notices, _settings)
