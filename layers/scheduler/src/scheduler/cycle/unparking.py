"""Returns parked jobs to the queue when the budget now fits them, after an operator's change or a deployment."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from scheduler.core.jobs import user_actions
from scheduler.core.jobs.action import QUEUE
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import ReasonCode
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.job_store import JobStore

logger = logging.getLogger(__name__)

#: Jobs that one sweep unparks. The next sweep unparks the next ones.
MAX_UNPARKED_PER_SWEEP = 100


@dataclass(frozen=True, slots=True)
class Unparking:
    snapshot_reader: SnapshotReader
    jobs: JobStore

    def jobs_that_fit(self) -> Sequence[Job]:
        """Returns the first parked jobs that could run now."""
        parked = self.snapshot_reader.index.parked_for(ReasonCode.EXCEEDS_BUDGET, MAX_UNPARKED_PER_SWEEP)
        return self.snapshot_reader.runnable(parked) if parked else ()

    def unpark(self, job: Job) -> None:
        """Raises StaleJob."""
        self.jobs.save(user_actions.unpark(job, QUEUE, self.snapshot_reader.clock.now()), by="schedule")
        logger.info("unpark", extra={"job": job.name})
