"""Reporting on the queue as a whole: its head, warnings of spending limits, and metrics."""

from collections.abc import Collection
from typing import Protocol

from scheduler.core.history.metrics import FlowMetrics, Gauges, QueueHead
from scheduler.core.spending.warning import SpendingWarning


class QueueHeadStore(Protocol):
    """The head of the queue as it was reported last."""

    def last(self) -> QueueHead | None:
        """Returns None if none was reported yet, or the record is unreadable."""

    def save(self, head: QueueHead) -> None: ...


class WarningStore(Protocol):
    """The warnings of spending limits that were reported."""

    def reported(self, month: str) -> Collection[str]:
        """Returns the keys of the month's reported warnings."""

    def add(self, warning: SpendingWarning) -> bool:
        """Adds the warning. Returns whether it is new."""


class Meter(Protocol):
    @property
    def is_on(self) -> bool:
        """Tells whether the settings enable metrics."""

    def record_gauges(self, gauges: Gauges) -> None: ...

    def record_flow(self, flow: FlowMetrics) -> None: ...
