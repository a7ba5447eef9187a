"""The reconciliation_state: what SageMaker's own list of training jobs says beyond the queue's records.

The list is rarely read (aws-facts 2.1, 2.61), newest entries last: each walk over it begins where the one before ended,
so that it stays short however many training jobs the account has had.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from attrs import field, frozen

from scheduler.core.jobs.demand import Demand, total

#: An older reconciliation_state is not believed: what is not the queue's may have changed beyond recognition.
LONGEST_TRUSTED = timedelta(minutes=15)


class BudgetScope(StrEnum):
    """Whose training jobs hold the budget."""

    QUEUE = "queue"
    ACCOUNT = "account"


@frozen
class ReconciliationState:
    unmanaged: Mapping[str, Demand] = field(factory=dict)  # what training jobs hold that are not the queue's
    polled_until: str = ""  # the last of them that SageMaker was asked about; they take turns by name
    listed_until: datetime | None = None  # every training job created before is known
    complete_at: datetime | None = None  # when a walk last came to the end of the list
    next_at: datetime | None = None
    is_forbidden: bool = False  # the scheduler may not read the list

    @property
    def held(self) -> Demand:
        return total(self.unmanaged.values())

    def is_due(self, now: datetime) -> bool:
        return self.next_at is None or now >= self.next_at

    def is_trusted(self, now: datetime, scope: BudgetScope) -> bool:
        """Whether jobs may be launched on it.

        Within the queue's own budget only a table that went back in time has an old one, unless the list is forbidden.
        """
        if scope is BudgetScope.QUEUE and (self.is_forbidden or self.complete_at is None):
            return True
        return self.complete_at is not None and now - self.complete_at <= LONGEST_TRUSTED
