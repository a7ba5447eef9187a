"""Computes how much of each monthly spending limit is used, and which jobs cannot start or must stop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.team import Team
from scheduler.core.spending.limits import LimitAction, Measure, Scope, SpendingLimit, SpendingRules, UseState
from scheduler.core.spending.prices.price import PriceList, in_dollars
from scheduler.core.spending.spending_status import SpendingStatus, team_name, unknown_price_reason
from scheduler.core.spending.spent_time import Month, SpentTime, SpentTimeKey


@dataclass(frozen=True, slots=True)
class LimitUse:
    limit: SpendingLimit
    scope: Scope
    ended: SpentTime | None  # spent by finished attempts; None: the count cannot be read
    running: SpentTime  # the most that running attempts have spent this month
    #: The part of `running` that comes from attempts known to be training. It still counts after they end.
    training: SpentTime = field(default_factory=SpentTime)

    def amount(self, prices: PriceList) -> Decimal | None:
        """Returns the GPU hours or dollars used; None if a count or a price is unknown."""
        return self.ended.plus(self.running).amount(self.limit.measure, prices) if self.ended is not None else None

    def blocking_reason(self, prices: PriceList, month: Month) -> Reason | None:
        """Returns the reason why no job in this scope can start; None if jobs can start.

        A limit blocks jobs if it is used up, or if its use is unknown.
        """
        limit, amount = self.limit, self.amount(prices)
        if self.ended is None:
            message = (
                f"the spending of {self.scope} cannot be read (spending limit {limit.name}): an operator must repair "
                f"or delete the item SPENT#{month.name} {self.scope.kind}#{self.scope.name} of the table"
            )
        elif amount is None:
            return unknown_price_reason(limit, prices.unknown(self.ended.billed, self.running.billed))
        elif amount < limit.most:
            return None
        else:
            ends = f"{month.ends:%Y-%m-%d %H:%M} {month.ends.tzinfo}"
            message = f"{self._text(amount)}; the next month begins {ends}"
        return Reason(ReasonCode.SPENDING_LIMIT, message)

    def state(self, prices: PriceList) -> UseState:
        amount = self.amount(prices)
        if amount is None:
            return UseState.UNKNOWN
        if amount >= self.limit.most:
            return UseState.USED_UP
        return UseState.NEAR if amount >= self.limit.most * self.limit.warn_at else UseState.OK

    def description(self, prices: PriceList, month: Month) -> str | None:
        """Returns a sentence about the use if it is unknown, near the limit or at the limit; otherwise None."""
        return None if self.state(prices) is UseState.OK else self.summary(prices, month)

    def summary(self, prices: PriceList, month: Month) -> str:
        """Returns a sentence about the use, without a full stop."""
        if reason := self.blocking_reason(prices, month):
            return reason.message
        return self._text(self.amount(prices) or Decimal())

    def _text(self, amount: Decimal) -> str:
        limit, amounts = self.limit, f"{amount:.2f} of {self.limit.most} GPU hours"
        if limit.measure is Measure.DOLLARS:
            amounts = f"${in_dollars(amount)} of ${in_dollars(limit.most)}"
        return f"{self.scope} has used {amounts} this month (spending limit {limit.name})"

    @property
    def certain(self) -> LimitUse:
        """Returns the use without attempts that may not train yet: an attempt that fails to start is not billed."""
        return replace(self, running=self.training)

    def forecast(self, prices: PriceList, month: Month, now: datetime) -> Decimal | None:
        """Returns the expected use at the end of the month, at the average rate so far; None if the use is unknown."""
        amount, begins = self.amount(prices), month.begins.timestamp()
        elapsed = max(1.0, now.timestamp() - begins)
        return None if amount is None else amount * Decimal((month.ends.timestamp() - begins) / elapsed)


def limit_uses(
    rules: SpendingRules,
    spent: Mapping[SpentTimeKey, SpentTime | None],
    scopes: Iterable[Scope],
    running: Mapping[Scope, SpentTime],
    month: Month,
    training: Mapping[Scope, SpentTime] | None = None,
) -> list[LimitUse]:
    """Returns the use of each limit in each of the scopes that it applies to."""
    distinct, nothing = list(dict.fromkeys(scopes)), SpentTime()
    return [
        LimitUse(
            limit,
            scope,
            spent.get(SpentTimeKey(month.name, scope), nothing),
            running.get(scope, nothing),
            (training or {}).get(scope, nothing),
        )
        for limit in rules.limits
        for scope in distinct
        if limit.applies_to(scope)
    ]


def status_of(
    rules: SpendingRules, uses: Iterable[LimitUse], teams: Sequence[Team], prices: PriceList, month: Month
) -> SpendingStatus:
    """Returns the status of the limits: which limits block starts, stop running jobs, or are nearly used up."""
    blocking: dict[tuple[str, Scope], Reason] = {}
    stopping: dict[tuple[str, Scope], Reason] = {}
    near: dict[tuple[str, Scope], str] = {}
    for use in uses:
        reason = use.blocking_reason(prices, month)
        if reason is not None:
            blocking[use.limit.name, use.scope] = reason
            if use.limit.then is LimitAction.STOP and use.certain.state(prices) is UseState.USED_UP:
                stopping[use.limit.name, use.scope] = Reason(ReasonCode.OVER_BUDGET, reason.message)
        elif description := use.description(prices, month):
            near[use.limit.name, use.scope] = description
    return SpendingStatus(rules.limits, teams, prices, blocking, stopping, near)


def running_time_by_scope(
    live: Iterable[LiveJob], rules: SpendingRules, teams: Sequence[Team], month: Month, now: datetime
) -> dict[Scope, SpentTime]:
    """Returns the instance time that live attempts have spent this month, by scope, counted from their start."""
    spent: dict[Scope, SpentTime] = {}
    for live_job in live:
        seconds = max(0.0, (now - max(live_job.started_at, month.begins)).total_seconds())
        added = SpentTime.of(live_job.attempt.demand, held=seconds, billed=seconds)
        for scope in rules.scopes_of(live_job.job, team_name(live_job.job, teams)):
            spent[scope] = spent.get(scope, SpentTime()).plus(added)
    return spent
