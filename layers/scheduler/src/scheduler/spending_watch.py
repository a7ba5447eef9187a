"""Warns of limits on spending that are nearly or wholly used, after a sweep: in the log, by notice, by an event."""

import logging
from collections.abc import Sequence

from attrs import frozen

from scheduler.document_refusals import BadSpending
from scheduler.domain.snapshot import LiveJob
from scheduler.domain.spending_warning import SpendingWarning
from scheduler.policy.spending.warning import warnings_of
from scheduler.ports.clock import Clock
from scheduler.ports.listeners import Notifier
from scheduler.ports.watchers import WarningStore
from scheduler.spending_book import SpendingBook

logger = logging.getLogger(__name__)


@frozen
class SpendingWatch:
    spending: SpendingBook
    warnings: WarningStore
    notifier: Notifier
    clock: Clock

    def look(self, live: Sequence[LiveJob]) -> None:
        """Each warning is kept first, which the table's stream tells of: a crash loses its notice, and nothing else."""
        try:
            of_month = self.spending.of_month(live)
        except BadSpending:
            return  # nothing is started, and whoever waits is told why
        if of_month is None:
            return
        month, uses = of_month
        found = [*warnings_of(uses, self.spending.prices.now(), month, self.clock.now())]
        told = self.warnings.told(month.name) if found else ()
        for warning, notice in found:
            if warning.key not in told and self.warnings.keep(warning):
                _log(warning)
                self.notifier.tell(notice)


def _log(warning: SpendingWarning) -> None:
    told = {"limit": warning.limit.name, "scope": str(warning.scope), "month": warning.month}
    logger.warning("spending limit", extra={**told, "state": warning.state.value})
