"""The schema of the section `notices`: the kinds of notices that owners receive."""

from dataclasses import dataclass

from scheduler.core.history.notices import NoticeKind
from scheduler.core.sections.schema import Schema

#: Kinds that are frequent, and on which nobody has to act.
_ON_REQUEST = {
    NoticeKind.STARTED,
    NoticeKind.COMPLETED,
    NoticeKind.INTERRUPTED,
    NoticeKind.PREEMPTED,
    NoticeKind.RESUMED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeSettings:
    """The kinds of notices that are sent to owners."""

    owners: tuple[NoticeKind, ...] = tuple(kind for kind in NoticeKind if kind not in _ON_REQUEST)


SCHEMA: Schema[NoticeSettings] = Schema(NoticeSettings)
