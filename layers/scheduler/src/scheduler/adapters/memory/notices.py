"""What people are told, in memory."""

from attrs import define, field

from scheduler.core.history.notice import Notice


@define(slots=False)
class MemoryNotices:
    """Keeps what would be sent."""

    told: list[Notice] = field(factory=list)

    def tell(self, notice: Notice) -> None:
        self.told.append(notice)
