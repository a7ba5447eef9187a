"""Reports on the queue: its head, warnings about spending limits, digests, metrics, and alarms on GPUs and hangs."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from scheduler.core.history.digests.period import DigestPeriod
from scheduler.core.history.metrics import FlowMetrics, Gauges, QueueHead
from scheduler.core.idle_gpus.alarms import AlarmState, Metric, UseAlarm
from scheduler.core.idle_gpus.idle_check import UseReading
from scheduler.core.spending.warning import SpendingWarning


class QueueHeadStore(Protocol):
    """Stores the head of the queue as it was in the last report."""

    def last(self) -> QueueHead | None:
        """Returns the last reported head, or None if there is none or its record is unreadable."""

    def save(self, head: QueueHead) -> None: ...


class WarningStore(Protocol):
    """Stores the warnings about spending limits that were reported."""

    def reported(self, month: str) -> Collection[str]:
        """Returns the keys of the warnings that were reported for this month."""

    def add(self, warning: SpendingWarning) -> bool:
        """Adds the warning. Returns whether it is new."""


class DigestStore(Protocol):
    """Stores which digests were sent."""

    def is_finished(self, period: DigestPeriod) -> bool:
        """Returns whether all digests of the period were sent."""

    def is_begun(self, period: DigestPeriod) -> bool:
        """Returns whether a sweep has begun to send the period's digests."""

    def claim(self, period: DigestPeriod, now: datetime, until: datetime) -> bool:
        """Lets only the caller send the period's digests until this time. Returns False if another sweep sends them."""

    def finish(self, period: DigestPeriod) -> bool:
        """Marks the period as finished. Returns whether it was not finished before."""

    def sent(self, period: DigestPeriod) -> Collection[str]:
        """Returns the owners whose digests were sent."""

    def add_sent(self, period: DigestPeriod, owner: str) -> None: ...


class Meter(Protocol):
    @property
    def is_on(self) -> bool:
        """Returns whether the settings enable metrics."""

    def record_gauges(self, gauges: Gauges) -> None: ...

    def record_flow(self, flow: FlowMetrics) -> None: ...


class Alarms(Protocol):
    """Puts, lists and deletes CloudWatch alarms. After a call raises AlarmServiceError, the next sweep tries again."""

    def put(self, alarm: UseAlarm) -> None: ...

    def delete(self, names: Sequence[str]) -> None:
        """Deletes the alarms with these names. Ignores unknown names."""

    def list(self, prefix: str) -> tuple[AlarmState, ...]: ...


class UseMetrics(Protocol):
    def read(self, metric: Metric, hosts: Sequence[str], since: datetime, until: datetime) -> tuple[UseReading, ...]:
        """Returns the readings of each host, one per minute. Raises AlarmServiceError."""
