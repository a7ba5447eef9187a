"""Whoever watches the queue as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection

    from scheduler.core.history.metrics import FlowMetrics, Gauges
    from scheduler.core.history.queue_head import QueueHead
    from scheduler.core.spending.warning import SpendingWarning


class QueueHeadStore(Protocol):
    """What was told last of the head of the queue."""

    def last(self) -> QueueHead | None:
        """None if nothing was told yet, or it cannot be read."""

    def save(self, head: QueueHead) -> None: ...


class WarningStore(Protocol):
    """Which warnings of limits on spending were told."""

    def reported(self, month: str) -> Collection[str]:
        """Their keys."""

    def add(self, warning: SpendingWarning) -> bool:
        """Tells whether it is new."""


class Meter(Protocol):
    @property
    def is_on(self) -> bool:
        """Whether anything is measured."""

    def record_gauges(self, gauges: Gauges) -> None: ...

    def record_flow(self, flow: FlowMetrics) -> None: ...
