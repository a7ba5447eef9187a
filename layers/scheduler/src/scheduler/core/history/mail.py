"""Selects the mail addresses that receive a notice."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.jobs.principal import names_of


@dataclass(frozen=True, slots=True)
class MailRule:
    """Mails the notices that meet all of its conditions. An empty condition on owners or teams is always met."""

    to: tuple[str, ...]
    owners: tuple[str, ...]  # names or patterns, such as ada, role/Vision or *:assumed-role/Vision/*
    teams: tuple[str, ...]
    kinds: tuple[NoticeKind, ...]

    def selects(self, notice: Notice, team: str) -> bool:
        return self._selects_kind(notice) and self._selects_owner(notice.owner) and self._selects_team(team)

    def _selects_kind(self, notice: Notice) -> bool:
        # Owners choose the kinds for their own addresses only, so a rule for all owners ignores their choice.
        return notice.kind in self.kinds or (notice.is_chosen and bool(self.owners))

    def _selects_owner(self, owner: str) -> bool:
        # A session's name counts, although callers choose it: a wrong one only misdirects notices of their own jobs.
        names = names_of(owner)
        return not self.owners or any(fnmatchcase(name, pattern) for pattern in self.owners for name in names)

    def _selects_team(self, team: str) -> bool:
        return not self.teams or team in self.teams


def addresses_for(notice: Notice, team: str, rules: Iterable[MailRule]) -> tuple[str, ...]:
    return addresses_in(rule for rule in rules if rule.selects(notice, team))


def addresses_in(rules: Iterable[MailRule]) -> tuple[str, ...]:
    """Returns each address once, sorted."""
    return tuple(sorted({address for rule in rules for address in rule.to}))
