"""The head of the queue: the first job that waits, and why. It is kept so that others are told when it changes."""

from datetime import datetime

from attrs import frozen

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.reason import ReasonCode


@frozen
class QueueHead:
    """`job` is empty where nobody waits, and so is all else."""

    job: str = ""
    reason: ReasonCode | None = None
    message: str = ""  # of the reason, as it was when it became this one
    priority: int = 0
    demand: Demand = NOTHING
    owner: str = ""
    waits_since: datetime | None = None

    def differs_from(self, told: "QueueHead | None") -> bool:
        """Whether it is another job, or waits for another reason. None: nobody knows what was told last."""
        return told is None or (self.job, self.reason) != (told.job, told.reason)
