"""How far the limits on what may be spent are used, and what follows from that.

Nothing is started once a limit is used up; what runs then may go beyond it. Where a count, or a price that it takes, is
not known, nothing is started either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from attrs import evolve, field, frozen

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.team import Team
from scheduler.core.spending.limits import Measure, Scope, SpendingLimit, SpendingRules, Then, UseState
from scheduler.core.spending.months import Month
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.spending_status import SpendingStatus, no_price, team_name
from scheduler.core.spending.spent import Spent, SpentKey

_UNITS = {Measure.GPU_HOURS: "GPU hours", Measure.DOLLARS: "dollars"}


@frozen
class Use:
    """Of a limit by a scope, in a month."""

    limit: SpendingLimit
    scope: Scope
    ended: Spent | None  # attempts that have ended; None: the count cannot be read
    running: Spent  # what runs, in this month, at most
    trained: Spent = field(factory=Spent)  # of that, what is known to train: it is there when the attempt ends

    def amount(self, prices: PriceList) -> Decimal | None:
        return self.ended.plus(self.running).amount(self.limit.measure, prices) if self.ended is not None else None

    def against(self, prices: PriceList, month: Month) -> Reason | None:
        """Why nothing is started in this scope."""
        if self.ended is None:
            return _unreadable(self.limit, self.scope, month)
        amount = self.amount(prices)
        if amount is None:
            return no_price(self.limit, self.ended.plus(self.running).unpriced(prices))
        return _used_up(self, amount, month) if self.state(prices) is UseState.USED_UP else None

    def state(self, prices: PriceList) -> UseState:
        amount = self.amount(prices)
        if amount is None:
            return UseState.UNKNOWN
        if amount >= self.limit.most:
            return UseState.USED_UP
        return UseState.NEAR if amount >= self.limit.most * self.limit.warn_at else UseState.OK

    def story(self, prices: PriceList, month: Month) -> str | None:
        """A sentence on a use that is near the limit, beyond it or not known."""
        if reason := self.against(prices, month):
            return reason.message
        amount = self.amount(prices)
        return _used(self, amount) if amount is not None and self.state(prices) is UseState.NEAR else None

    @property
    def sure(self) -> Use:
        """What is used also when all that runs has ended: nobody is billed for a start that comes to nothing."""
        return evolve(self, running=self.trained)

    def forecast(self, prices: PriceList, month: Month, now: datetime) -> Decimal | None:
        """At the end of the month, if it goes on as it did since its beginning, what runs included."""
        amount, begins = self.amount(prices), month.begins.timestamp()
        past = max(1.0, now.timestamp() - begins)
        return None if amount is None else amount * Decimal((month.ends.timestamp() - begins) / past)


def uses(
    rules: SpendingRules,
    spent: Mapping[SpentKey, Spent | None],
    scopes: Iterable[Scope],
    running: Mapping[Scope, Spent],
    month: Month,
    trained: Mapping[Scope, Spent] | None = None,
) -> list[Use]:
    """Of each limit by each of the scopes that it is on."""
    known, none = list(dict.fromkeys(scopes)), Spent()
    return [
        Use(
            limit,
            scope,
            spent.get(SpentKey(month.name, scope), none),
            running.get(scope, none),
            (trained or {}).get(scope, none),
        )
        for limit in rules.limits
        for scope in known
        if limit.is_on(scope)
    ]


def used_up(
    rules: SpendingRules, found: Iterable[Use], teams: Sequence[Team], prices: PriceList, month: Month
) -> SpendingStatus:
    holding: dict[tuple[str, Scope], Reason] = {}
    stopping: dict[tuple[str, Scope], Reason] = {}
    near: dict[tuple[str, Scope], str] = {}
    for use in found:
        reason = use.against(prices, month)
        if reason is not None:
            holding[use.limit.name, use.scope] = reason
            if use.limit.then is Then.STOP and use.sure.state(prices) is UseState.USED_UP:
                stopping[use.limit.name, use.scope] = Reason(ReasonCode.OVER_BUDGET, reason.message)
        elif story := use.story(prices, month):
            near[use.limit.name, use.scope] = story
    return SpendingStatus(rules.limits, teams, prices, holding, stopping, near)


def running_now(
    live: Iterable[LiveJob], rules: SpendingRules, teams: Sequence[Team], month: Month, now: datetime
) -> dict[Scope, Spent]:
    """By scope, from when its training began; until that is known, from when it got its instances."""
    found: dict[Scope, Spent] = {}
    for one in live:
        seconds = max(0.0, (now - max(one.started_at, month.begins)).total_seconds())
        held = {kind: count * seconds for kind, count in one.attempt.demand.counts}
        for scope in scopes_on(rules, one.job, teams):
            found[scope] = found.get(scope, Spent()).plus(Spent(held, held))
    return found


def scopes_on(rules: SpendingRules, job: Job, teams: Sequence[Team]) -> set[Scope]:
    """Those of the job that there are limits on."""
    team = team_name(job, teams)
    found = (limit.scope_of(job, team) for limit in rules.limits)
    return {scope for scope in found if scope is not None}


def _used_up(use: Use, amount: Decimal, month: Month) -> Reason:
    ends = f"{month.ends:%Y-%m-%d %H:%M} {month.ends.tzinfo}"
    return Reason(ReasonCode.SPENDING_LIMIT, f"{_used(use, amount)}; the next one begins {ends}")


def _used(use: Use, amount: Decimal) -> str:
    limit, unit = use.limit, _UNITS[use.limit.measure]
    return f"{use.scope} has used {amount:.2f} of {limit.most} {unit} of this month (spending limit {limit.name})"


def _unreadable(limit: SpendingLimit, scope: Scope, month: Month) -> Reason:
    item = f"SPENT#{month.name} {scope.kind}#{scope.name}"
    message = f"what {scope} has spent cannot be read (spending limit {limit.name})"
    return Reason(ReasonCode.SPENDING_LIMIT, f"{message}: repair the item {item} of the table, or delete it")
