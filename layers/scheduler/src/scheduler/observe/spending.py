"""The limits on what may be spent in a month, as they are in force, and how far they are used: for a snapshot."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.team import Team
from scheduler.core.spending.spending_status import SpendingStatus
from scheduler.errors.config_errors import BadSpending
from scheduler.observe.prices import Prices
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import DocumentStore
from scheduler.ports.job_store import JobStore

if TYPE_CHECKING:
    from scheduler.core.spending.judging import Use
    from scheduler.core.spending.limits import SpendingRules
    from scheduler.core.spending.months import Month
    from scheduler.observe.monthly_spending import MonthlySpending

logger = logging.getLogger(__name__)

UNREADABLE_LIMITS = Reason(
    ReasonCode.SPENDING_LIMIT,
    "the document of spending limits cannot be read, so nothing is started: an operator has to put another one into "
    "force (sagequeue spending apply)",
)


@frozen
class SpendingReader:
    documents: DocumentStore
    store: JobStore
    prices: Prices
    teams: tuple[Team, ...]
    clock: Clock

    def in_force(self) -> SpendingRules | None:
        """None where there are no limits. Raises BadSpending for a document that cannot be read."""
        document = self.documents.latest()
        if document is None:
            return None
        from scheduler.core.spending.document import rules_of  # here, so that a queue without any starts sooner

        try:
            return rules_of(document.text)
        except BadSpending as error:
            logger.error("unreadable spending limits", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            raise

    def used_up(self, jobs: Iterable[Job], live: Iterable[LiveJob]) -> SpendingStatus:
        """What stands against starting one of these jobs. Raises BadSpending."""
        month = self._this_month()
        return month.used_up(jobs, live) if month else SpendingStatus()

    def of_month(self, live: Sequence[LiveJob]) -> tuple[Month, list[Use]] | None:
        """How far each limit is used now, by all that have spent something; None without limits. Raises BadSpending."""
        month = self._this_month()
        return (month.month, month.uses_by_all(live)) if month else None

    def _this_month(self) -> MonthlySpending | None:
        rules = self.in_force()
        if rules is None:
            return None
        from scheduler.observe.monthly_spending import (
            MonthlySpending,  # here, so that a queue without limits starts sooner
        )

        return MonthlySpending(rules, self.store, self.prices, self.teams, self.clock.now())
