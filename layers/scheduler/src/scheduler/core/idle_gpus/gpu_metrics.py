"""Values about GPUs that CloudWatch takes and returns: alarms, their states and readings."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class AlarmKind(StrEnum):
    IDLE = "idle"
    UNDERUSED = "underused"


@dataclass(frozen=True, slots=True)
class GpuAlarm:
    """A CloudWatch alarm over at most ten hosts of one attempt (aws-facts 3.3)."""

    name: str
    hosts: tuple[str, ...]
    threshold: float  # of the metric GPUUtilization, which has 100 for each busy GPU of a host
    statistic: str
    period: int  # seconds
    periods: int


@dataclass(frozen=True, slots=True)
class AlarmState:
    name: str
    is_firing: bool


@dataclass(frozen=True, slots=True)
class GpuReading:
    """The utilisation of one host's GPUs in one period."""

    host: str
    at: datetime  # the period's start
    highest: float
    average: float


class GpuUse(StrEnum):
    """An attempt's use of its GPUs."""

    BUSY = "busy"
    IDLE = "idle"
    UNDERUSED = "underused"
    UNKNOWN = "unknown"  # data is missing, and missing data alone has no consequences
