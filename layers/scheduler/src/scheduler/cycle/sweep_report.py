"""Reports the state of the queue after a sweep.

It publishes metrics, the job at the head of the queue with its reason, and warnings of spending limits that are nearly
or wholly used.
"""

from dataclasses import dataclass

from scheduler.core.history.queue_head import QueueHead
from scheduler.core.jobs.job import QUEUED
from scheduler.core.planner.planning import plan
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.cycle.spending import SpendingAlerts
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.ports.monitoring import Meter, QueueHeadStore


@dataclass(frozen=True, slots=True)
class SweepReport:
    snapshot_reader: SnapshotReader
    index: JobIndex
    live_job_cache: LiveJobCache
    queue_heads: QueueHeadStore
    meter: Meter
    clock: Clock
    spending_alerts: SpendingAlerts

    def publish(self) -> None:
        """Publishes the report. It runs once a minute at most: a shorter time at the head is not reported."""
        snapshot, now = self.snapshot_reader.observe(live=self.live_job_cache.live()), self.clock.now()
        self._record_head(plan(snapshot, now).queue_head)
        if snapshot.spending_status.limits:
            self.spending_alerts.send(snapshot.live)
        if self.meter.is_on:
            queued_jobs = sum(waiting_job.state in QUEUED for waiting_job in self.index.waiting())
            self.meter.record_gauges(snapshot.gauges(queued_jobs, now))

    def _record_head(self, head: QueueHead) -> None:
        """Writes a changed head, which the table's stream passes on. Two concurrent sweeps may report it twice."""
        if head.differs_from(self.queue_heads.last()):
            self.queue_heads.save(head)
