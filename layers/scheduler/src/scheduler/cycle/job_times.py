"""Applies the times that users set: releases jobs at `not_before`, ends expired jobs, and warns of missed deadlines."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from scheduler.core.calendar.times.deadlines import DeadlineOutlook
from scheduler.core.calendar.times.timers import after_timer, awaits_deadline, shown, warn_of_deadline
from scheduler.core.jobs.job import Job
from scheduler.core.planner.explanation import explain
from scheduler.core.planner.snapshot import Snapshot
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.errors.internal import RecordRefused, StaleJob
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import SCHEDULE, JobStore

logger = logging.getLogger(__name__)

#: How many timers one sweep handles at most, so that time is left to start jobs. The next sweep continues.
MAX_TIMERS_PER_SWEEP = 500


@dataclass(frozen=True, slots=True)
class Timers:
    """Applies the timers that are due. After a crash, the next sweep finds the same timers again."""

    services: CycleServices
    live_jobs: LiveJobs
    steps: Steps

    def run(self) -> None:
        now = self.services.clock.now()
        for job in self.steps.in_time(self.services.stores.index.due(now, MAX_TIMERS_PER_SWEEP)):
            with self.steps.isolate("timer", job):
                self._apply(job, now)

    def _apply(self, job: Job, now: datetime) -> None:
        changed = after_timer(job, now)
        if changed is job:
            return  # the index lags
        saved = self.services.stores.jobs.save(changed, by=SCHEDULE)
        self.live_jobs.replace_job(saved)
        logger.info("timer", extra={"job": job.name, "reason": saved.status.reason.code.value})


@dataclass(frozen=True, slots=True)
class DeadlineWarnings:
    """Records warnings about waiting jobs that will miss their deadlines, once for each job."""

    jobs: JobStore
    clock: Clock

    def write(self, snapshot: Snapshot) -> None:
        """Writes each new warning. The history then notifies the owner."""
        if not any(awaits_deadline(job) for job in snapshot.queued):
            return
        now = self.clock.now()
        for job, message in _missed(snapshot, now):
            try:
                self.jobs.save(warn_of_deadline(job, message, now), by=SCHEDULE)
            except (StaleJob, RecordRefused):
                continue  # the next sweep considers the job again
            logger.info("deadline", extra={"job": job.name})


def _missed(snapshot: Snapshot, now: datetime) -> Sequence[tuple[Job, str]]:
    stored = {job.name: job for job in snapshot.queued}  # a plan sets a job to one of its alternatives
    return [
        (stored[name], f"it is expected to miss its deadline: it starts at {shown(start)} at the earliest")
        for name, explanation in explain(snapshot, now).items()
        if explanation.deadline is DeadlineOutlook.MISSED
        and (start := explanation.starts.earliest) is not None
        and awaits_deadline(stored[name])
    ]
