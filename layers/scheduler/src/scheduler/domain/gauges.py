"""What metrics tell: of the queue as it stands, and of what changed."""

from dataclasses import dataclass

from scheduler.domain.demand import Demand


@dataclass(frozen=True, slots=True)
class Gauges:
    queued_jobs: int
    oldest_wait: float  # seconds
    used: Demand
    free: Demand  # for each type of the budget, also where there is nothing


@dataclass(frozen=True, slots=True)
class Flow:
    launch_waits: tuple[float, ...] = ()  # seconds, one for each launch
    preemptions: int = 0  # that are over
    lost_instance_seconds: float = 0.0  # of what attempts that gave way had trained, what no checkpoint can have
