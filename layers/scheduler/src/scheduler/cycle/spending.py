"""Spending in the cycle: warns of spending limits that are nearly or wholly used, and counts what was spent.

`SpendingAlerts` runs after a sweep and warns in the log, by notice and by event. `SpendingRecorder` adds to the counts
of the month when attempts and pools end.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.spending import spent_time
from scheduler.core.spending.limits import Scope, SpendingRules
from scheduler.core.spending.spending_status import team_name
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.spending.warning import SpendingWarning, warnings_of
from scheduler.errors.config_errors import BadDocument
from scheduler.observe.spending import SpendingReader
from scheduler.ports.clock import Clock
from scheduler.ports.monitoring import WarningStore
from scheduler.ports.notifications import Notifier

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SpendingAlerts:
    spending: SpendingReader
    warnings: WarningStore
    notifier: Notifier
    clock: Clock

    def send(self, live: Sequence[LiveJob]) -> None:
        """Sends each new warning. It is written first, so that a crash loses only the notice.

        The table's stream passes the written warning on as an event.
        """
        try:
            uses_in_month = self.spending.uses_in_month(live)
        except BadDocument:
            return  # nothing starts, and the waiting jobs' reasons say why
        if uses_in_month is None:
            return
        month, uses = uses_in_month
        found = [*warnings_of(uses, self.spending.prices.current(), month, self.clock.now())]
        reported = self.warnings.reported(month.name) if found else ()
        for warning, notice in found:
            if warning.key not in reported and self.warnings.add(warning):
                _log(warning)
                self.notifier.notify(notice)


def _log(warning: SpendingWarning) -> None:
    limit = {"limit": warning.limit.name, "scope": str(warning.scope), "month": warning.month}
    logger.warning("spending limit", extra={**limit, "state": warning.state.value})


@dataclass(frozen=True, slots=True)
class SpendingRecorder:
    spending: SpendingReader

    def after_end(self, job: Job) -> dict[SpentTimeKey, SpentTime]:
        """Returns the counts with the attempt of the job that just ended."""
        scopes, rules = self._scopes_and_rules(job)
        return self._counts(spent_time.added_by_attempt(job, job.status.history[-1], scopes, rules))

    def after_pool(self, job: Job, pool: Attempt, retained: int) -> dict[SpentTimeKey, SpentTime]:
        """Returns the counts with a pool that an attempt of the job left, and that is gone now."""
        ended_at = pool.observation.ended_at if pool.observation else None
        if ended_at is None or not retained:
            return {}
        scopes, rules = self._scopes_and_rules(job)
        demand = pool.lent if pool.lent_to else pool.demand
        return self._counts(spent_time.added_by_pool(demand, ended_at, retained, scopes, rules))

    def _scopes_and_rules(self, job: Job) -> tuple[list[Scope], SpendingRules | None]:
        """Returns the scopes that the job counts for: all possible ones while the limits cannot be read."""
        team = team_name(job, self.spending.teams)
        try:
            rules = self.spending.rules()
        except BadDocument:
            return spent_time.scopes_of(job, team, None), None
        return (spent_time.scopes_of(job, team, rules), rules) if rules is not None else ([], None)

    def _counts(self, added: Mapping[SpentTimeKey, SpentTime]) -> dict[SpentTimeKey, SpentTime]:
        if not added:
            return {}
        return spent_time.totals_with(self.spending.learned.spent(added.keys()), added)
