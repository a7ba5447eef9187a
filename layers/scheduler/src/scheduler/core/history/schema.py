"""The schema of the section `notices`: the kinds of notices that owners receive."""

from dataclasses import dataclass

from scheduler.core.history.notices import NoticeKind
from scheduler.core.sections.schema import Schema

_OF_PREEMPTION = {NoticeKind.PREEMPTED, NoticeKind.RESUMED}  # frequent, and nobody has to act on them


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeSettings:
    """The kinds of notices that are sent to owners."""

    owners: tuple[NoticeKind, ...] = tuple(kind for kind in NoticeKind if kind not in _OF_PREEMPTION)


SCHEMA: Schema[NoticeSettings] = Schema(NoticeSettings)
