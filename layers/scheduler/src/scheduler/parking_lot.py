"""Jobs that nothing could run: an operator's budget or a deployment may have made room for them since."""

import logging
from collections.abc import Sequence

from attrs import frozen

from scheduler.domain.action import QUEUE
from scheduler.domain.job import Job
from scheduler.domain.reason import ReasonCode
from scheduler.observing import Observer
from scheduler.policy import wishes

logger = logging.getLogger(__name__)

#: Jobs that one sweep brings back; the next ones are the next sweep's.
MOST_UNPARKED = 100


@frozen
class ParkingLot:
    observer: Observer

    def with_room(self) -> Sequence[Job]:
        """The first of those that could run now."""
        parked = self.observer.store.parked_for(ReasonCode.EXCEEDS_BUDGET, MOST_UNPARKED)
        return self.observer.possible(parked) if parked else ()

    def unpark(self, job: Job) -> None:
        """Raises StaleJob."""
        self.observer.store.save(wishes.unparked(job, QUEUE, self.observer.clock.now()), by="schedule")
        logger.info("unpark", extra={"job": job.name})
