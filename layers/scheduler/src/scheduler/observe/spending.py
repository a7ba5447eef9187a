"""Reads the monthly spending limits and how much of each is used: by ended attempts and by running ones."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.team import Team
from scheduler.core.spending.document import rules_of
from scheduler.core.spending.limit_use import LimitUse, limit_uses, running_time_by_scope, status_of
from scheduler.core.spending.limits import Scope, SpendingRules
from scheduler.core.spending.spending_status import SpendingStatus, team_name
from scheduler.core.spending.spent_time import Month, SpentTime, SpentTimeKey, month_of
from scheduler.errors.config_errors import BadDocument
from scheduler.observe.prices import Prices
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import DocumentStore
from scheduler.ports.job_store import LearnedStore

logger = logging.getLogger(__name__)

UNREADABLE_LIMITS = Reason(
    ReasonCode.SPENDING_LIMIT,
    "the spending limits cannot be read, so no job starts: an operator must apply another document "
    "(sagequeue spending apply)",
)


@dataclass(frozen=True, slots=True)
class SpendingReader:
    """Reads the applied limits, and their use in the current month."""

    documents: DocumentStore
    learned: LearnedStore
    prices: Prices
    teams: tuple[Team, ...]
    clock: Clock

    def rules(self) -> SpendingRules | None:
        """Returns the applied limits; None without a document. Raises BadDocument if the document cannot be read."""
        document = self.documents.latest()
        if document is None:
            return None
        try:
            return rules_of(document.text)
        except BadDocument as error:
            logger.error("unreadable spending limits", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            raise

    def status(self, jobs: Iterable[Job], live: Iterable[LiveJob]) -> SpendingStatus:
        """Returns which limits prevent a start of these jobs. Raises BadDocument."""
        month = self._this_month()
        return month.status(jobs, live) if month else SpendingStatus()

    def uses_in_month(self, live: Sequence[LiveJob]) -> tuple[Month, list[LimitUse]] | None:
        """Returns the current use of each limit by each scope; None without limits. Raises BadDocument."""
        month = self._this_month()
        return (month.month, month.all_uses(live)) if month else None

    def _this_month(self) -> "_MonthlySpending | None":
        rules = self.rules()
        return _MonthlySpending(rules, self.learned, self.prices, self.teams, self.clock.now()) if rules else None


@dataclass(frozen=True, slots=True)
class _MonthlySpending:
    """The use of limits in one month."""

    rules: SpendingRules
    learned: LearnedStore
    prices: Prices
    teams: Sequence[Team]
    now: datetime

    @property
    def month(self) -> Month:
        return month_of(self.now, self.rules.time_zone)

    def status(self, jobs: Iterable[Job], live: Iterable[LiveJob]) -> SpendingStatus:
        if not self.rules.limits:
            return SpendingStatus()
        prices, scopes = self.prices.current(), self._scopes_of(jobs)
        uses = self._uses(self._spent(scopes), scopes, live)
        return status_of(self.rules, uses, self.teams, prices, self.month)

    def all_uses(self, live: Sequence[LiveJob]) -> list[LimitUse]:
        """Returns the use of each limit by every scope that has spent something, runs a job, or is named."""
        spent = self.learned.spent_in(self.month.name)
        running = self._scopes_of(live_job.job for live_job in live)
        named = {limit.scope for limit in self.rules.limits if limit.scope is not None}
        return self._uses(spent, sorted({key.scope for key in spent} | running | named), live)

    def _scopes_of(self, jobs: Iterable[Job]) -> set[Scope]:
        return {scope for job in jobs for scope in self.rules.scopes_of(job, team_name(job, self.teams))}

    def _uses(
        self, spent: Mapping[SpentTimeKey, SpentTime | None], scopes: Iterable[Scope], live: Iterable[LiveJob]
    ) -> list[LimitUse]:
        all_live = [*live]
        training = [live_job for live_job in all_live if live_job.is_known_to_train]
        running, trained = (
            running_time_by_scope(live_jobs, self.rules, self.teams, self.month, self.now)
            for live_jobs in (all_live, training)
        )
        return limit_uses(self.rules, spent, scopes, running, self.month, trained)

    def _spent(self, scopes: Collection[Scope]) -> Mapping[SpentTimeKey, SpentTime | None]:
        return self.learned.spent([SpentTimeKey(self.month.name, scope) for scope in scopes]) if scopes else {}
