"""Reads the monthly spending limits and how much of each is used: by ended attempts and by running ones."""

import logging
from collections.abc import Iterable, Mapping, Sequence
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

    def status(self, jobs: Iterable[Job], live: Sequence[LiveJob]) -> SpendingStatus:
        """Returns which limits prevent a start of these jobs. Raises BadDocument."""
        rules, now = self.rules(), self.clock.now()
        if rules is None or not rules.limits:
            return SpendingStatus()
        month, prices, scopes = month_of(now, rules.time_zone), self.prices.current(), self._scopes_of(jobs, rules)
        spent = self.learned.spent([SpentTimeKey(month.name, scope) for scope in scopes]) if scopes else {}
        return status_of(rules, self._uses(rules, spent, scopes, live, now), self.teams, prices, month)

    def uses_in_month(self, live: Sequence[LiveJob]) -> tuple[Month, list[LimitUse]] | None:
        """Returns each limit's use by scopes with costs, a job or a name; None without limits. Raises BadDocument."""
        rules, now = self.rules(), self.clock.now()
        if rules is None:
            return None
        month = month_of(now, rules.time_zone)
        spent = self.learned.spent_in(month.name)
        running = self._scopes_of((live_job.job for live_job in live), rules)
        named = {limit.scope for limit in rules.limits if limit.scope is not None}
        scopes = sorted({key.scope for key in spent} | running | named)
        return month, self._uses(rules, spent, scopes, live, now)

    def _scopes_of(self, jobs: Iterable[Job], rules: SpendingRules) -> set[Scope]:
        return {scope for job in jobs for scope in rules.scopes_of(job, team_name(job, self.teams))}

    def _uses(
        self,
        rules: SpendingRules,
        spent: Mapping[SpentTimeKey, SpentTime | None],
        scopes: Iterable[Scope],
        live: Sequence[LiveJob],
        now: datetime,
    ) -> list[LimitUse]:
        month = month_of(now, rules.time_zone)
        training = [live_job for live_job in live if live_job.is_known_to_train]
        running, trained = (
            running_time_by_scope(live_jobs, rules, self.teams, month, now) for live_jobs in (live, training)
        )
        return limit_uses(rules, spent, scopes, running, month, trained)
