"""Reporting on the queue: its head, warnings of spending limits, metrics, and alarms on idle GPUs."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from scheduler.core.history.metrics import FlowMetrics, Gauges, QueueHead
from scheduler.core.idle_gpus.alarms import AlarmState, GpuAlarm
from scheduler.core.idle_gpus.idle_check import GpuReading
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


class Alarms(Protocol):
    """CloudWatch alarms. Each call may raise AlarmServiceError; the next sweep tries again."""

    def put(self, alarm: GpuAlarm) -> None: ...

    def delete(self, names: Sequence[str]) -> None:
        """Deletes the alarms of these names; unknown names are ignored."""

    def list(self, prefix: str) -> tuple[AlarmState, ...]: ...


class GpuMetrics(Protocol):
    def read(self, hosts: Sequence[str], since: datetime, until: datetime, period: int) -> tuple[GpuReading, ...]:
        """Returns the readings of each host, one for each period of so many seconds. Raises AlarmServiceError."""
