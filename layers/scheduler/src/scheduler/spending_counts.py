"""The counts of what has been spent in a month: added to when attempts and pools end."""

from collections.abc import Mapping

from attrs import frozen

from scheduler.document_refusals import BadSpending
from scheduler.domain.attempt import Attempt
from scheduler.domain.job import Job
from scheduler.domain.spending import Scope
from scheduler.domain.spent import Spent, SpentKey
from scheduler.domain.used_up import team_name
from scheduler.policy.spending import counting
from scheduler.policy.spending.rules import SpendingRules
from scheduler.spending_book import SpendingBook


@frozen
class SpendingCounts:
    book: SpendingBook

    def after_end(self, job: Job) -> dict[SpentKey, Spent]:
        """The counts with the attempt of the job that has just ended."""
        scopes, rules = self._counted_with(job)
        return self._counts(counting.added_by_attempt(job, job.history[-1], scopes, rules))

    def after_pool(self, job: Job, pool: Attempt, retained: int) -> dict[SpentKey, Spent]:
        """The counts with the pool of an attempt of the job, which is gone now."""
        ended_at = pool.sighting.ended_at if pool.sighting else None
        if ended_at is None or not retained:
            return {}
        scopes, rules = self._counted_with(job)
        demand = pool.lent if pool.lent_to else pool.demand
        return self._counts(counting.added_by_pool(demand, ended_at, retained, scopes, rules))

    def _counted_with(self, job: Job) -> tuple[list[Scope], SpendingRules | None]:
        """While the limits cannot be read, what ends is counted for all that they may be on."""
        team = team_name(job, self.book.teams)
        try:
            rules = self.book.in_force()
        except BadSpending:
            return counting.scopes_of(job, team, None), None
        return (counting.scopes_of(job, team, rules), rules) if rules is not None else ([], None)

    def _counts(self, added: Mapping[SpentKey, Spent]) -> dict[SpentKey, Spent]:
        if not added:
            return {}
        return counting.total_of(self.book.store.spent(added.keys()), added)
