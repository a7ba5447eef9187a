"""Keeps notices in memory."""

from dataclasses import dataclass, field

from scheduler.core.history.notices import Notice


@dataclass
class MemoryNotices:
    """Keeps the notices that would be sent."""

    sent: list[Notice] = field(default_factory=list)

    def notify(self, notice: Notice) -> None:
        self.sent.append(notice)
