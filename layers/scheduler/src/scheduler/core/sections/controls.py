"""The operators' settings of budget and intake. They hold until operators change them, also across deployments."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.core.jobs.budget import Budget

#: No record has this version.
NEVER_STORED = -1


@dataclass(frozen=True, slots=True)
class Controls:
    budget: Budget | None = None  # overrides the stack's parameter and the calendar while it is set
    stop_over_budget: bool = False  # whether jobs over the budget are stopped; else they run to their end
    intake_open: bool = True  # whether jobs are accepted
    author: str = ""  # the ARN of the operator who made the last change
    changed_at: datetime | None = None
    version: int = 0  # grows with each write; every write is conditional on it

    @property
    def is_readable(self) -> bool:
        """Whether these are the operators' settings. False: their record cannot be read."""
        return self.version != NEVER_STORED
