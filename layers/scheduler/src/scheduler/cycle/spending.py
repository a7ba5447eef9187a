"""Warns of limits on spending that are nearly or wholly used, after a sweep: in the log, by notice, by an event."""

import logging
from collections.abc import Mapping, Sequence

from attrs import frozen

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.spending import counting
from scheduler.core.spending.limits import Scope, SpendingRules
from scheduler.core.spending.spending_status import team_name
from scheduler.core.spending.spent import Spent, SpentKey
from scheduler.core.spending.warning import SpendingWarning, warnings_of
from scheduler.errors.config_errors import BadSpending
from scheduler.observe.spending import SpendingReader
from scheduler.ports.clock import Clock
from scheduler.ports.monitoring import WarningStore
from scheduler.ports.notifications import Notifier

logger = logging.getLogger(__name__)


@frozen
class SpendingAlerts:
    spending: SpendingReader
    warnings: WarningStore
    notifier: Notifier
    clock: Clock

    def send(self, live: Sequence[LiveJob]) -> None:
        """Each warning is kept first, which the table's stream tells of: a crash loses its notice, and nothing else."""
        try:
            of_month = self.spending.of_month(live)
        except BadSpending:
            return  # nothing is started, and whoever waits is told why
        if of_month is None:
            return
        month, uses = of_month
        found = [*warnings_of(uses, self.spending.prices.now(), month, self.clock.now())]
        told = self.warnings.reported(month.name) if found else ()
        for warning, notice in found:
            if warning.key not in told and self.warnings.add(warning):
                _log(warning)
                self.notifier.notify(notice)


def _log(warning: SpendingWarning) -> None:
    told = {"limit": warning.limit.name, "scope": str(warning.scope), "month": warning.month}
    logger.warning("spending limit", extra={**told, "state": warning.state.value})


@frozen
class SpendingRecorder:
    spending: SpendingReader

    def after_end(self, job: Job) -> dict[SpentKey, Spent]:
        """The counts with the attempt of the job that has just ended."""
        scopes, rules = self._counted_with(job)
        return self._counts(counting.added_by_attempt(job, job.history[-1], scopes, rules))

    def after_pool(self, job: Job, pool: Attempt, retained: int) -> dict[SpentKey, Spent]:
        """The counts with the pool of an attempt of the job, which is gone now."""
        ended_at = pool.observation.ended_at if pool.observation else None
        if ended_at is None or not retained:
            return {}
        scopes, rules = self._counted_with(job)
        demand = pool.lent if pool.lent_to else pool.demand
        return self._counts(counting.added_by_pool(demand, ended_at, retained, scopes, rules))

    def _counted_with(self, job: Job) -> tuple[list[Scope], SpendingRules | None]:
        """While the limits cannot be read, what ends is counted for all that they may be on."""
        team = team_name(job, self.spending.teams)
        try:
            rules = self.spending.in_force()
        except BadSpending:
            return counting.scopes_of(job, team, None), None
        return (counting.scopes_of(job, team, rules), rules) if rules is not None else ([], None)

    def _counts(self, added: Mapping[SpentKey, Spent]) -> dict[SpentKey, Spent]:
        if not added:
            return {}
        return counting.total_of(self.spending.store.spent(added.keys()), added)
