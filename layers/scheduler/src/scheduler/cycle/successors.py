"""Checks the jobs that wait for other jobs: after each end in a cycle, and again in each sweep.

Each check starts from the stored states of all jobs that other jobs wait for, so it may be repeated, skipped or
interrupted anywhere: the next sweep decides again.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from scheduler.core.jobs.dependencies.successors import after_check
from scheduler.core.jobs.job import Job
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.observe.predecessors import PredecessorReader
from scheduler.ports.job_store import SCHEDULE

logger = logging.getLogger(__name__)

#: How many jobs one sweep checks, and how many are checked after one end, so that time is left to start jobs.
MAX_CHECKED = 500


@dataclass(frozen=True, slots=True)
class Successors:
    services: CycleServices
    live_jobs: LiveJobs
    steps: Steps
    _checked_after: set[str] = field(default_factory=set, init=False)  # finished jobs whose successors were checked

    def check_after_ends(self) -> bool:
        """Checks the jobs that wait for a job or an array that ended in this cycle. Returns whether any has changed."""
        has_changed = False
        for name in self.steps.in_time(sorted(self.live_jobs.ended - self._checked_after)):
            with self.steps.isolate("successors", name):
                has_changed |= self._check(self.services.stores.dependencies.successors(name, MAX_CHECKED))
                self._checked_after.add(name)
        return has_changed

    def sweep(self, token: str | None) -> str | None:
        """Checks the next jobs that wait for other jobs. Returns the token with which the next sweep continues."""
        page = self.services.stores.dependencies.all_successors(token, MAX_CHECKED)
        self._check(page.jobs)
        return token if self.steps.is_out_of_time() else page.next_token

    def _check(self, jobs: Sequence[Job]) -> bool:
        if not jobs:
            return False
        reader = PredecessorReader(self.services.stores.dependencies)
        predecessors = reader.of(job.options.dependencies for job in jobs)
        has_changed = False
        for job in self.steps.in_time(jobs):
            with self.steps.isolate("dependencies", job):
                changed = after_check(job, predecessors, self.services.clock.now())
                if changed is not job:
                    saved = self.services.stores.jobs.save(changed, by=SCHEDULE)
                    logger.info("dependencies", extra={"job": job.name, "reason": saved.status.reason.code.value})
                    has_changed = True
        return has_changed
