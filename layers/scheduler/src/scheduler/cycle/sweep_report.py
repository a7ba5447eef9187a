"""Reports the state of the queue after a sweep.

Publishes metrics, and the job at the head of the queue with the reason why it waits. Warns when a spending limit is
nearly or fully used, and when a job will miss its deadline. Once a day, sends each owner a digest.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from scheduler.admission.choice_check import ChoiceCheck
from scheduler.core.jobs.job_state import QUEUED
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.planning import plan
from scheduler.core.spending.warning import warnings_of
from scheduler.cycle.digests import Digests, QueueNow
from scheduler.cycle.job_times import DeadlineWarnings
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.observe.configuration import ConfigurationReader
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.observe.spending import SpendingReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.ports.monitoring import Meter, QueueHeadStore, WarningStore
from scheduler.ports.notifications import Notifier

logger = logging.getLogger(__name__)

#: How long the sweeps of a busy queue may publish no report because none of them finishes its cycle.
_LONGEST_SILENCE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class SpendingAlerts:
    spending: SpendingReader
    configuration: ConfigurationReader
    warnings: WarningStore
    notifier: Notifier
    clock: Clock

    def send(self, live: Sequence[LiveJob]) -> None:
        """Sends each new warning. The warning is written first, so that a crash loses only the notice.

        The table's stream then publishes the written warning as an event.
        """
        configuration = self.configuration.current()
        uses_in_month = self.spending.uses_in_month(configuration, live)
        if uses_in_month is None:
            return
        month, uses = uses_in_month
        found = [*warnings_of(uses, self.configuration.prices(configuration), month, self.clock.now())]
        reported = self.warnings.reported(month.name) if found else ()
        for warning, notice in found:
            if warning.key not in reported and self.warnings.add(warning):
                limit = {"limit": warning.limit.name, "scope": str(warning.scope), "month": warning.month}
                logger.warning("spending limit", extra={**limit, "state": warning.state.value})
                self.notifier.notify(notice)


@dataclass(slots=True)
class SweepReport:
    snapshot_reader: SnapshotReader
    choice_check: ChoiceCheck
    index: JobIndex
    live_job_cache: LiveJobCache
    queue_heads: QueueHeadStore
    meter: Meter
    clock: Clock
    spending_alerts: SpendingAlerts
    deadline_warnings: DeadlineWarnings
    digests: Digests
    _published_at: datetime = field(init=False)  # by this process, which counts from its start

    def __post_init__(self) -> None:
        self._published_at = self.clock.now()

    @property
    def is_overdue(self) -> bool:
        return self.clock.now() - self._published_at > _LONGEST_SILENCE

    def publish(self, until: datetime) -> None:
        """Publishes the report, at most once a minute. A job that is at the head for less time may go unreported.

        Digests may take until the given time; the rest is quick.
        """
        live, configuration = self.live_job_cache.live(), self.snapshot_reader.configuration.current()
        snapshot, now = self.snapshot_reader.observe(live=live, configuration=configuration), self.clock.now()
        self._published_at = now
        allowed = self.choice_check.close_refused(snapshot)
        decided = plan(allowed, now)
        head = decided.queue_head
        if head.differs_from(self.queue_heads.last()):
            self.queue_heads.save(head)  # the table's stream publishes it; two concurrent sweeps may publish it twice
        self.deadline_warnings.write(allowed)
        if snapshot.spending_status.limits:
            self.spending_alerts.send(snapshot.live)
        if self.meter.is_on:
            queued_jobs = sum(waiting_job.state in QUEUED for waiting_job in self.index.waiting())
            self.meter.record_gauges(snapshot.gauges(queued_jobs, now))
        self.digests.send(QueueNow(configuration, snapshot.live, decided.waits), until)
