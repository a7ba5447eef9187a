"""Checks waiting jobs again after rules, permissions, shares or prices change, and parks jobs that can no longer start.

Otherwise, such jobs would wait forever. The progress through the queue is stored with the lease.
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

#: How many waiting jobs one cycle checks at most, in queue order. The next cycle continues.
MOST_JUDGED = 5000
#: Jobs that are read at once. One cycle can check this many even if all their requests are large. If it runs out of
#: time, the next cycle repeats the page.
_PAGE = 100


@dataclass(frozen=True, slots=True)
class QueueJudge:
    services: CycleServices
    lease: Lease
    plan_executor: PlanExecutor
    steps: Steps

    def run(self) -> JudgedQueue:
        """Checks waiting jobs, and parks the jobs that cannot start. Returns how far the queue has been checked.

        Starts from the head of the queue if the relevant configuration has changed since the last check.
        """
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
                break  # some jobs on the page may not have been checked or parked yet
            judged = JudgedQueue(digest, page.next_token is None, page.next_token)
        return judged

    def _page(self, token: str | None) -> Page:
        queued, now = JobFilter(QUEUED), self.services.clock.now()
        try:
            return self.services.stores.index.page(queued, _PAGE, token, now)
        except UnknownToken:  # an operator may have edited the token in the table
            return self.services.stores.index.page(queued, _PAGE, None, now)
