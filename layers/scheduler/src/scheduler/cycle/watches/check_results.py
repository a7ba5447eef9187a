"""Saves the results of checks for idle GPUs and hangs, and notifies owners of warnings."""

from collections.abc import Callable
from dataclasses import dataclass

from scheduler.core.history.notices import Notice
from scheduler.core.jobs.job import Job
from scheduler.cycle.steps import log_set_aside
from scheduler.errors.internal import RecordRefused, StaleJob
from scheduler.ports.job_store import IDLE_ALARM, JobStore
from scheduler.ports.notifications import Notifier


@dataclass(frozen=True, slots=True)
class CheckResults:
    jobs: JobStore
    notifier: Notifier

    def save(self, job: Job, notice_of: Callable[[Job], Notice] | None = None) -> None:
        """Saves the job, then sends the notice about the saved version.

        If the job changed or ended meanwhile, the next sweep handles it.
        """
        try:
            saved = self.jobs.save_idle_check(job, by=IDLE_ALARM)
        except StaleJob:
            return
        except RecordRefused as error:
            log_set_aside("idle", job.name, error)
            return
        if notice_of:
            self.notifier.notify(notice_of(saved))
