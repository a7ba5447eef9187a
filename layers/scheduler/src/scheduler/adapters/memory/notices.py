"""Notices in memory."""

from attrs import define, field

from scheduler.core.history.notices import Notice


@define(slots=False)
class MemoryNotices:
    """Keeps the notices that would be sent."""

    sent: list[Notice] = field(factory=list)

    def notify(self, notice: Notice) -> None:
        self.sent.append(notice)
