"""Writes a job and its attempt together when both change or the attempt ends."""

import logging
from dataclasses import dataclass, replace

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.learned import Learned, run_record_of
from scheduler.core.reconciliation.lease import Lease
from scheduler.cycle.attempts.capacity_tracker import CapacityTracker
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.spending import SpendingRecorder
from scheduler.errors.internal import ConfigurationUnreadable
from scheduler.ports.job_store import NOTHING_LEARNED

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AttemptRecords:
    services: CycleServices
    lease: Lease
    live_jobs: LiveJobs
    capacity: CapacityTracker
    spending: SpendingRecorder

    def settle(
        self, job: Job, attempt: Attempt, capacity: CapacityMemory | None = None, *, left_pool: bool = False
    ) -> Job:
        learned = replace(self._learned_from(job, attempt), capacity=capacity)
        settled = self.services.stores.reservations.settle(job, attempt, self.lease, learned, left_pool=left_pool)
        self.live_jobs.remove(settled, attempt)
        if capacity is not None:
            self.capacity.replace(capacity)
        log_change("settled", settled, attempt)
        return settled

    def _learned_from(self, job: Job, attempt: Attempt) -> Learned:
        """Returns the statistics that the end adds.

        Raises ConfigurationUnreadable, since without a configuration the team and its limits are unknown.
        """
        configuration = self.services.configuration.current()
        if not configuration.is_readable:
            raise ConfigurationUnreadable
        policy, learned = configuration.policy, NOTHING_LEARNED
        if run_record := run_record_of(job, attempt.name, policy):
            known = self.services.stores.learned.read_learned(
                run_record.owners, run_record.usage_keys, run_record.locations
            )
            learned = run_record.add_to(known, policy)
        history = job.status.history
        has_ended = bool(history) and history[-1].name == attempt.name
        return replace(learned, spent=self.spending.after_end(job) if has_ended else {})

    def update(self, job: Job, attempt: Attempt) -> LiveJob:
        updated = self.live_jobs.update(job, attempt)
        log_change("updated", updated.job, attempt)
        return updated


def log_change(action: str, job: Job, attempt: Attempt) -> None:
    """Logs only allow-listed fields: a reason's text may quote SageMaker, whose text may quote the request."""
    logger.info(
        action,
        extra={
            "job": job.name,
            "state": job.status.state.value,
            "attempt": attempt.name,
            "reason": job.status.reason.code.value,
        },
    )
