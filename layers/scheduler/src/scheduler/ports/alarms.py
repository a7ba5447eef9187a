"""CloudWatch as idle-GPU detection needs it: alarms on GPU metrics, and the metrics."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from scheduler.core.idle_gpus.alarms import AlarmState, GpuAlarm
from scheduler.core.idle_gpus.idle_check import GpuReading


class Alarms(Protocol):
    """CloudWatch alarms. Each call may raise AlarmServiceError; the next sweep tries again."""

    def put(self, alarm: GpuAlarm) -> None: ...

    def delete(self, names: Sequence[str]) -> None:
        """Deletes the alarms of these names; unknown names are ignored."""

    def list(self, prefix: str) -> tuple[AlarmState, ...]: ...


class GpuMetrics(Protocol):
    def read(self, hosts: Sequence[str], since: datetime, until: datetime, period: int) -> tuple[GpuReading, ...]:
        """Returns the readings of each host, one for each period of so many seconds. Raises AlarmServiceError."""
