"""The operators' settings for the budget and intake. Only operators change them; deployments leave them unchanged."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.core.jobs.budget import Budget

#: The version number of the controls that replace an unreadable record. No stored record has this number.
NEVER_STORED = -1


@dataclass(frozen=True, slots=True)
class Controls:
    budget: Budget | None = None  # while set, overrides the stack's parameter and the calendar
    stop_over_budget: bool = False  # whether jobs over the budget are stopped; otherwise they run to completion
    intake_open: bool = True  # whether jobs are accepted
    author: str = ""  # the ARN of the operator who made the last change
    changed_at: datetime | None = None
    version: int = 0  # grows with each write; every write is conditional on it

    @property
    def is_readable(self) -> bool:
        """Returns whether the operators' settings could be read. If not, these are only the defaults."""
        return self.version != NEVER_STORED
