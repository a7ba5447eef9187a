"""How far the limits on what may be spent are used in a month: by what has ended in it, and what runs now."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from attrs import frozen

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.team import Team
from scheduler.core.spending import judging
from scheduler.core.spending.judging import Use
from scheduler.core.spending.limits import Scope, SpendingRules
from scheduler.core.spending.months import Month, month_of
from scheduler.core.spending.spending_status import SpendingStatus
from scheduler.core.spending.spent import Spent, SpentKey
from scheduler.observe.prices import Prices
from scheduler.ports.job_store import JobStore


@frozen
class MonthlySpending:
    rules: SpendingRules
    store: JobStore
    prices: Prices
    teams: Sequence[Team]
    now: datetime

    @property
    def month(self) -> Month:
        return month_of(self.now, self.rules.time_zone)

    def used_up(self, jobs: Iterable[Job], live: Iterable[LiveJob]) -> SpendingStatus:
        """What stands against starting one of these jobs."""
        if not self.rules.limits:
            return SpendingStatus()
        prices, scopes = self.prices.now(), self._scopes_of(jobs)
        found = self._uses(self._spent(scopes), scopes, live)
        return judging.used_up(self.rules, found, self.teams, prices, self.month)

    def uses_by_all(self, live: Sequence[LiveJob]) -> list[Use]:
        """Of each limit, by all that have spent something."""
        spent = self.store.spent_in(self.month.name)
        running = self._scopes_of(one.job for one in live)
        named = {limit.scope for limit in self.rules.limits if limit.scope is not None}
        return self._uses(spent, sorted({key.scope for key in spent} | running | named), live)

    def _scopes_of(self, jobs: Iterable[Job]) -> set[Scope]:
        return set[Scope]().union(*(judging.scopes_on(self.rules, job, self.teams) for job in jobs))

    def _uses(
        self, spent: Mapping[SpentKey, Spent | None], scopes: Iterable[Scope], live: Iterable[LiveJob]
    ) -> list[Use]:
        known = [*live]
        running, trained = (
            judging.running_now(some, self.rules, self.teams, self.month, self.now)
            for some in (known, [one for one in known if one.is_known_to_train])
        )
        return judging.uses(self.rules, spent, scopes, running, self.month, trained)

    def _spent(self, scopes: Collection[Scope]) -> Mapping[SpentKey, Spent | None]:
        return self.store.spent([SpentKey(self.month.name, scope) for scope in scopes]) if scopes else {}
