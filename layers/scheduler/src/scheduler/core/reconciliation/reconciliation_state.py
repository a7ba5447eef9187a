"""The reconciliation state: what SageMaker's list of training jobs shows beyond the queue's records.

The list is rarely read (aws-facts 2.1). A scan begins with the newest training job and ends where the last scan began.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from scheduler.core.jobs.demand import Demand, total
from scheduler.core.reconciliation.list_scan import ListScan

#: An older state is not trusted: jobs outside the queue may have changed completely.
LONGEST_TRUSTED = timedelta(minutes=15)
#: If the next part of a scan is later than this, the table may have been restored, and the scan has missed what was
#: created since. Sweeps come every minute, and a backup is at least 5 minutes old.
_LONGEST_DELAY = timedelta(minutes=3)


class BudgetScope(StrEnum):
    """The training jobs that hold the budget: the queue's, or all of the account."""

    QUEUE = "queue"
    ACCOUNT = "account"


@dataclass(frozen=True, slots=True)
class ReconciliationState:
    #: The instances of training jobs outside the queue, by name.
    unmanaged: Mapping[str, Demand] = field(default_factory=dict)
    undecided: frozenset[str] = frozenset()  # the names of those that may still prove to be the queue's
    polled_until: str = ""  # the name of the last of them that was polled; the next poll continues after it
    listed_until: datetime | None = None  # every training job created before then is known
    complete_at: datetime | None = None  # when the last complete scan began: it knows no later training job
    scan: ListScan | None = None  # one that is not complete
    next_at: datetime | None = None  # when the next part of it, or the next scan, is due
    is_forbidden: bool = False  # the scheduler may not read the list

    @property
    def held(self) -> Demand:
        return total(self.unmanaged.values())

    def is_due(self, now: datetime) -> bool:
        return self.next_at is None or now >= self.next_at

    def scan_to_continue(self, now: datetime) -> ListScan:
        """Returns the scan that was interrupted a moment ago, or a new one."""
        is_late = self.next_at is None or now - self.next_at > _LONGEST_DELAY
        return ListScan(began_at=now) if self.scan is None or is_late else self.scan

    def is_trusted(self, now: datetime, scope: BudgetScope) -> bool:
        """Returns whether the state is recent enough to launch jobs.

        If only the queue's jobs count, an old state means that the table was restored, or that the list is forbidden.
        """
        if scope is BudgetScope.QUEUE and (self.is_forbidden or self.complete_at is None):
            return True
        return self.complete_at is not None and now - self.complete_at <= LONGEST_TRUSTED
