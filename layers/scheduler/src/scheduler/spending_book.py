"""What may be spent in a month, and what has been: read for a snapshot, and added to when attempts and pools end."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scheduler.document_refusals import BadSpending
from scheduler.domain.attempt import Attempt
from scheduler.domain.job import Job
from scheduler.domain.reason import Reason, ReasonCode
from scheduler.domain.snapshot import LiveJob
from scheduler.domain.spending import Scope
from scheduler.domain.spent import Spent, SpentKey
from scheduler.domain.team import Team
from scheduler.domain.used_up import UsedUp, team_name
from scheduler.policy.spending import counting, judging
from scheduler.policy.spending.judging import Use
from scheduler.policy.spending.months import Month, month_of
from scheduler.policy.spending.rules import SpendingRules
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.ports.operators import DocumentStore
from scheduler.prices import Prices

logger = logging.getLogger(__name__)

UNREADABLE_LIMITS = Reason(
    ReasonCode.SPENDING_LIMIT,
    "the document of spending limits cannot be read, so nothing is started: an operator has to put another one into "
    "force (sagequeue spending apply)",
)


@dataclass(frozen=True, slots=True)
class SpendingBook:
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
        from scheduler.policy.spending.document import rules_of  # here, so that a queue without any starts sooner

        try:
            return rules_of(document.text)
        except BadSpending as error:
            logger.error("unreadable spending limits", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            raise

    def used_up(self, jobs: Iterable[Job], live: Iterable[LiveJob]) -> UsedUp:
        """What stands against starting one of these jobs. Raises BadSpending."""
        rules = self.in_force()
        if rules is None or not rules.limits:
            return UsedUp()
        month, prices = self._month(rules), self.prices.now()
        scopes = set[Scope]().union(*(judging.scopes_on(rules, job, self.teams) for job in jobs))
        found = self._uses(rules, self._spent(month, scopes), scopes, live, month)
        return judging.used_up(rules, found, self.teams, prices, month)

    def of_month(self, live: Sequence[LiveJob]) -> tuple[Month, list[Use]] | None:
        """How far each limit is used now, by all that have spent something; None without limits. Raises BadSpending."""
        rules = self.in_force()
        if rules is None:
            return None
        month = self._month(rules)
        spent = self.store.spent_in(month.name)
        running = set[Scope]().union(*(judging.scopes_on(rules, one.job, self.teams) for one in live))
        named = {limit.scope for limit in rules.limits if limit.scope is not None}
        scopes = sorted({key.scope for key in spent} | running | named)
        return month, self._uses(rules, spent, scopes, live, month)

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
        team = team_name(job, self.teams)
        try:
            rules = self.in_force()
        except BadSpending:
            return counting.scopes_of(job, team, None), None
        return (counting.scopes_of(job, team, rules), rules) if rules is not None else ([], None)

    def _counts(self, added: Mapping[SpentKey, Spent]) -> dict[SpentKey, Spent]:
        if not added:
            return {}
        return counting.total_of(self.store.spent(added.keys()), added)

    def _uses(
        self,
        rules: SpendingRules,
        spent: Mapping[SpentKey, Spent | None],
        scopes: Iterable[Scope],
        live: Iterable[LiveJob],
        month: Month,
    ) -> list[Use]:
        known = [*live]
        running, trained = (
            judging.running_now(some, rules, self.teams, month, self.clock.now())
            for some in (known, [one for one in known if one.is_known_to_train])
        )
        return judging.uses(rules, spent, scopes, running, month, trained)

    def _spent(self, month: Month, scopes: Collection[Scope]) -> Mapping[SpentKey, Spent | None]:
        return self.store.spent([SpentKey(month.name, scope) for scope in scopes]) if scopes else {}

    def _month(self, rules: SpendingRules) -> Month:
        return month_of(self.clock.now(), rules.time_zone)
