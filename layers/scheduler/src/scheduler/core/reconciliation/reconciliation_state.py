"""Defines the reconciliation state: the jobs of a kind that SageMaker lists but for which the queue has no records.

The list is rarely read, because calls are limited (aws-facts 2.1). A scan begins with the most recent job and ends
where the last scan began.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from scheduler.core.jobs.demand import Demand, total
from scheduler.core.reconciliation.list_scan import ListScan

#: A state older than this is not trusted: the jobs outside the queue may have changed completely.
LONGEST_TRUSTED = timedelta(minutes=15)
#: If the next part of a scan is later than this, the table may have been restored from a backup, and the scan would
#: miss the training jobs created since. Sweeps run every minute, and a backup is at least 5 minutes old.
_LONGEST_DELAY = timedelta(minutes=3)


class BudgetScope(StrEnum):
    """Selects the training jobs that count against the budget: the queue's own, or all in the account."""

    QUEUE = "queue"
    ACCOUNT = "account"


@dataclass(frozen=True, slots=True)
class ReconciliationState:
    #: The instances of jobs outside the queue, by name.
    unmanaged: Mapping[str, Demand] = field(default_factory=dict)
    undecided: frozenset[str] = frozenset()  # the names of those that may still prove to be the queue's
    polled_until: str = ""  # the name of the undecided job polled last; the next poll continues after it
    listed_until: datetime | None = None  # every job created before this time is known
    complete_at: datetime | None = None  # when the last complete scan began: it covers no later jobs
    scan: ListScan | None = None  # a scan that is not complete
    next_at: datetime | None = None  # when the next part of it, or the next scan, is due
    is_forbidden: bool = False  # the scheduler has no permission to read the list

    @property
    def held(self) -> Demand:
        return total(self.unmanaged.values())

    def is_due(self, now: datetime) -> bool:
        return self.next_at is None or now >= self.next_at

    def scan_to_continue(self, now: datetime) -> ListScan:
        """Returns the incomplete scan. Returns a new one if no scan is incomplete, or if the next part is late."""
        is_late = self.next_at is None or now - self.next_at > _LONGEST_DELAY
        return ListScan(began_at=now) if self.scan is None or is_late else self.scan

    def is_trusted(self, now: datetime, scope: BudgetScope) -> bool:
        """Returns whether the state is recent enough to launch jobs.

        If only the queue's jobs count, jobs are also launched if the list is forbidden or no scan is complete. An old
        scan is not trusted even then, since it may mean that the table was restored.
        """
        if scope is BudgetScope.QUEUE and (self.is_forbidden or self.complete_at is None):
            return True
        return self.complete_at is not None and now - self.complete_at <= LONGEST_TRUSTED
