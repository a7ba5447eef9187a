"""Judges the waiting jobs again after a change of rules, permissions or shares, and parks those that may not start.

Such a job would otherwise wait for a start that never comes. The lease keeps how far the queue was judged.
"""

from dataclasses import dataclass

from scheduler.core.configuration.kinds import judging_digest
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import QUEUED
from scheduler.core.reconciliation.lease import JudgedQueue, Lease
from scheduler.cycle.plan_executor import PlanExecutor
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.errors.refusals import UnknownToken
from scheduler.ports.job_index import Page

#: The most waiting jobs that one cycle judges again, in queue order. The next cycle judges the next ones.
MOST_JUDGED = 5000
_PAGE = 100  # what one cycle can judge even if all requests are large: a page that is not finished begins again


@dataclass(frozen=True, slots=True)
class QueueJudge:
    services: CycleServices
    lease: Lease
    plan_executor: PlanExecutor
    steps: Steps

    def run(self) -> JudgedQueue:
        """Returns how far the waiting jobs are judged by the current configuration."""
        version, configuration = self.services.configuration.in_force()
        digest, judged = judging_digest(version), self.lease.judged_queue
        if not configuration.is_readable:
            return judged
        if judged.digest != digest:
            judged = JudgedQueue(digest)
        check = self.services.launch_check(configuration)
        for _ in self.steps.in_time(range(MOST_JUDGED // _PAGE)):
            if judged.is_complete:
                break
            page = self._page(judged.next_token)
            self.plan_executor.park(check.parks(self.steps.in_time(job for job in page.jobs if job.is_readable)))
            if self.steps.is_out_of_time():
                break  # some of the page may not be judged or parked yet
            judged = JudgedQueue(digest, page.next_token is None, page.next_token)
        return judged

    def _page(self, token: str | None) -> Page:
        queued, now = JobFilter(QUEUED), self.services.clock.now()
        try:
            return self.services.stores.index.page(queued, _PAGE, token, now)
        except UnknownToken:  # an operator may have edited it
            return self.services.stores.index.page(queued, _PAGE, None, now)
