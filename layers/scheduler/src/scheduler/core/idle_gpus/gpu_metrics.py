"""What CloudWatch is asked about GPUs, what it says, and what is made of that."""

from datetime import datetime
from enum import StrEnum

from attrs import frozen


class AlarmKind(StrEnum):
    IDLE = "idle"
    UNDERUSED = "underused"


@frozen
class GpuAlarm:
    """One CloudWatch alarm over hosts of one attempt, at most ten (aws-facts 3.3)."""

    name: str
    hosts: tuple[str, ...]
    threshold: float  # of the metric GPUUtilization, which counts 100 for each GPU of a host
    statistic: str
    period: int  # seconds
    periods: int


@frozen
class AlarmState:
    name: str
    is_firing: bool


@frozen
class GpuReading:
    """What one host's GPUs did in one period."""

    host: str
    at: datetime  # the period's start
    highest: float
    average: float


class GpuUse(StrEnum):
    BUSY = "busy"
    IDLE = "idle"
    UNDERUSED = "underused"
    UNKNOWN = "unknown"  # data is missing: nothing is done on missing data alone
