"""Defines the data that is read from the table for a snapshot, regardless of the configuration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.sections.controls import Controls
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.warm_pools.warm_pool import WarmPool


@dataclass(frozen=True, slots=True)
class QueueReading:
    """The queue at one moment, with the records about its jobs' owners, teams and spending limits."""

    controls: Controls
    live: tuple[LiveJob, ...]
    queued: tuple[Job, ...]
    pools: tuple[WarmPool, ...]
    reconciliation_states: Sequence[ReconciliationState]  # one for each listed kind of job
    capacity: CapacityMemory
    learned: Learned
    spent: Mapping[SpentTimeKey, SpentTime | None]

    @property
    def jobs(self) -> list[Job]:
        return [*(live_job.job for live_job in self.live), *self.queued]
