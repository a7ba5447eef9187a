"""What metrics tell: of the queue as it stands, and of what changed."""

from enum import StrEnum

from attrs import frozen

from scheduler.core.jobs.demand import Demand


class MetricsWanted(StrEnum):
    OFF = "off"
    FEW = "few"
    ALL = "all"


@frozen
class Gauges:
    queued_jobs: int
    oldest_wait: float  # seconds
    used: Demand
    free: Demand  # for each type of the budget, also where there is nothing


@frozen
class Flow:
    launch_waits: tuple[float, ...] = ()  # seconds, one for each launch
    preemptions: int = 0  # that are over
    lost_instance_seconds: float = 0.0  # of what attempts that gave way had trained, what no checkpoint can have
