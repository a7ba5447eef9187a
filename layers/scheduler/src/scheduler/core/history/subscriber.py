"""Defines the conditions that select the notices for a subscriber: a list of email addresses, or a webhook."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.jobs.principal import names_of


@dataclass(frozen=True, slots=True)
class Conditions:
    """Selects the notices that meet all conditions. An empty condition on owners or teams is always met."""

    owners: tuple[str, ...]  # names or patterns, such as ada, role/Vision or *:assumed-role/Vision/*
    teams: tuple[str, ...]
    kinds: tuple[NoticeKind, ...]

    def select(self, notice: Notice, team: str) -> bool:
        return self._select_kind(notice) and self._select_owner(notice.owner) and self._select_team(team)

    def _select_kind(self, notice: Notice) -> bool:
        # Owners choose the kinds for their own subscribers only, so conditions on no owner ignore their choice.
        return notice.kind in self.kinds or (notice.is_chosen and bool(self.owners))

    def _select_owner(self, owner: str) -> bool:
        # Session names count, although callers choose them: a wrong name only misdirects notices about the caller's own
        # jobs.
        names = names_of(owner)
        return not self.owners or any(fnmatchcase(name, pattern) for pattern in self.owners for name in names)

    def _select_team(self, team: str) -> bool:
        return not self.teams or team in self.teams
