"""Defines the head of the queue: the first waiting job, and why it waits. It is stored to report its changes."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.reason import ReasonCode


@dataclass(frozen=True, slots=True)
class QueueHead:
    """The first waiting job. If no job waits, `job` and all other fields are empty."""

    job: str = ""
    reason: ReasonCode | None = None
    message: str = ""  # the reason's message when this job and reason became the head
    priority: int = 0
    demand: Demand = NOTHING
    owner: str = ""
    waits_since: datetime | None = None

    def differs_from(self, reported: "QueueHead | None") -> bool:
        """Returns whether the job or its reason differs. None: the last report is not known."""
        return reported is None or (self.job, self.reason) != (reported.job, reported.reason)
