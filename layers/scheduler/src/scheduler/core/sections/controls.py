"""The operators' settings for budget and intake, which stay until operators change them, even across deployments."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.core.jobs.budget import Budget

#: The version of controls that stand in for an unreadable record. No stored record has it.
NEVER_STORED = -1


@dataclass(frozen=True, slots=True)
class Controls:
    budget: Budget | None = None  # overrides the stack's parameter and the calendar while it is set
    stop_over_budget: bool = False  # whether jobs over the budget are stopped; otherwise they run to completion
    intake_open: bool = True  # whether jobs are accepted
    author: str = ""  # the ARN of the operator who made the last change
    changed_at: datetime | None = None
    version: int = 0  # grows with each write; every write is conditional on it

    @property
    def is_readable(self) -> bool:
        """Returns whether these are the operators' settings. If not, the record of the settings cannot be read."""
        return self.version != NEVER_STORED
