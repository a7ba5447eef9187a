"""Tells those who watch the queue how it stands, after a sweep.

Metrics, which job is at its head and why, and which limits on spending are nearly or wholly used.
"""

from attrs import frozen

from scheduler.core.history.queue_head import QueueHead
from scheduler.core.jobs.job import QUEUED
from scheduler.core.planner.forecast.gauges import gauges_of, head_of
from scheduler.core.planner.planning import plan
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.cycle.spending import SpendingAlerts
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.ports.monitoring import Meter, QueueHeadStore


@frozen
class SweepReport:
    snapshot_reader: SnapshotReader
    store: JobStore
    memory: LiveJobCache
    heads: QueueHeadStore
    meter: Meter
    clock: Clock
    spending: SpendingAlerts

    def take(self) -> None:
        """Once a minute or less: who is at the head for less is no news."""
        snapshot, now = self.snapshot_reader.observe(live=self.memory.live()), self.clock.now()
        self._keep(head_of(plan(snapshot, now)))
        if snapshot.used_up.limits:
            self.spending.look(snapshot.live)
        if self.meter.is_on:
            queued_jobs = sum(one.state in QUEUED for one in self.store.waiting())
            self.meter.gauge(gauges_of(snapshot, queued_jobs, now))

    def _keep(self, head: QueueHead) -> None:
        """The table's stream tells of it; if two sweeps meet here, it is told twice."""
        if head.is_news_after(self.heads.last()):
            self.heads.keep(head)
