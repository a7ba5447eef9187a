"""What people are told, in memory."""

from dataclasses import dataclass, field

from scheduler.domain.notice import Notice


@dataclass
class MemoryNotices:
    """Keeps what would be sent."""

    told: list[Notice] = field(default_factory=list)

    def tell(self, notice: Notice) -> None:
        self.told.append(notice)
