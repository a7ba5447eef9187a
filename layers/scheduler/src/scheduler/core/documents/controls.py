"""What operators change while the queue runs: it holds until they change it again, whatever is deployed."""

from attrs import frozen

from scheduler.core.jobs.budget import Budget

#: No record has this version.
NEVER_STORED = -1


@frozen
class Controls:
    budget: Budget | None = None  # replaces the stack's parameter while it is set
    stop_over_budget: bool = (
        False  # whether jobs are stopped that hold more than the budget; else they run to their end
    )
    intake_open: bool = True  # whether jobs are accepted
    version: int = 0  # grows with each write; every write is conditional on it

    @property
    def is_readable(self) -> bool:
        """Whether this is what operators have set; else their record cannot be read."""
        return self.version != NEVER_STORED
