"""Reads the monthly spending limits and how much of each is used: by finished attempts and by running attempts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from scheduler.core.configuration.configuration import Configuration
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.spending.limit_use import LimitUse, limit_uses, running_time_by_scope, status_of
from scheduler.core.spending.limits import Scope
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.spending_status import SpendingStatus, team_name
from scheduler.core.spending.spent_time import Month, SpentTime, SpentTimeKey, month_of
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import LearnedStore


@dataclass(frozen=True, slots=True)
class SpendingReader:
    """Reads the use of the spending limits in the current month."""

    learned: LearnedStore
    base_prices: PriceList  # the queue's built-in prices
    clock: Clock

    def spent_for(
        self, jobs: Sequence[Job], configurations: Iterable[Configuration]
    ) -> Mapping[SpentTimeKey, SpentTime | None]:
        """Reads the counts for this month that these jobs' limits need."""
        keys = {
            SpentTimeKey(month_of(self.clock.now(), configuration.spending.time_zone).name, scope)
            for configuration in configurations
            if configuration.spending.limits
            for scope in self._scopes_of(jobs, configuration)
        }
        return self.learned.spent(keys) if keys else {}

    def status(
        self,
        configuration: Configuration,
        jobs: Sequence[Job],
        live: Sequence[LiveJob],
        spent: Mapping[SpentTimeKey, SpentTime | None],
    ) -> SpendingStatus:
        """Returns the status of these jobs' limits, from counts that were already read. Reads nothing."""
        rules, now = configuration.spending, self.clock.now()
        scopes = self._scopes_of(jobs, configuration) if rules.limits else set()
        if not scopes:
            return SpendingStatus()
        month, prices = month_of(now, rules.time_zone), configuration.prices.over(self.base_prices)
        return status_of(rules, self._uses(configuration, spent, scopes, live, now), configuration.teams, prices, month)

    def uses_in_month(
        self, configuration: Configuration, live: Sequence[LiveJob]
    ) -> tuple[Month, list[LimitUse]] | None:
        """Returns the limits' use in each scope that has spending, a live job or its own limit; None without limits."""
        rules, now = configuration.spending, self.clock.now()
        if not rules.limits:
            return None
        month = month_of(now, rules.time_zone)
        spent = self.learned.spent_in(month.name)
        running = self._scopes_of((live_job.job for live_job in live), configuration)
        named = {limit.scope for limit in rules.limits if limit.scope is not None}
        scopes = sorted({key.scope for key in spent} | running | named)
        return month, self._uses(configuration, spent, scopes, live, now)

    def _scopes_of(self, jobs: Iterable[Job], configuration: Configuration) -> set[Scope]:
        rules, teams = configuration.spending, configuration.teams
        return {scope for job in jobs for scope in rules.scopes_of(job, team_name(job, teams))}

    def _uses(
        self,
        configuration: Configuration,
        spent: Mapping[SpentTimeKey, SpentTime | None],
        scopes: Iterable[Scope],
        live: Sequence[LiveJob],
        now: datetime,
    ) -> list[LimitUse]:
        rules = configuration.spending
        month = month_of(now, rules.time_zone)
        training = [live_job for live_job in live if live_job.is_known_to_use_instances]
        running, trained = (
            running_time_by_scope(live_jobs, rules, configuration.teams, month, now) for live_jobs in (live, training)
        )
        return limit_uses(rules, spent, scopes, running, month, trained)
