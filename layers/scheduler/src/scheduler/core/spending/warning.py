"""Which uses of limits people are warned of, and in which words."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal

from attrs import frozen

from scheduler.core.history.notice import Notice, NoticeKind
from scheduler.core.spending.judging import Use
from scheduler.core.spending.limits import Scope, ScopeKind, SpendingLimit, Then, UseState
from scheduler.core.spending.months import Month
from scheduler.core.spending.prices.price import PriceList


@frozen
class SpendingWarning:
    month: str  # 2026-11
    limit: SpendingLimit
    scope: Scope
    state: UseState  # NEAR or USED_UP
    used: Decimal
    at: datetime

    @property
    def key(self) -> str:
        """In its month. A limit that was raised or lowered since, or is of dollars now, is another one."""
        limit, scope = self.limit, self.scope
        return f"{limit.name}#{limit.most.normalize()} {limit.measure}#{self.state}#{scope.kind}#{scope.name}"


_APPLY = "an operator can raise the limit (sagequeue spending apply)"


def warnings_of(
    found: Iterable[Use], prices: PriceList, month: Month, now: datetime
) -> Iterator[tuple[SpendingWarning, Notice]]:
    """One for each use that is near its limit or beyond it and stays so, with what is said of it.

    Each is told once: one that a start brought about, which then came to nothing, would be missing when it is true.
    """
    for use in (one.sure for one in found):
        amount, state = use.amount(prices), use.state(prices)
        if amount is not None and state in {UseState.NEAR, UseState.USED_UP}:
            warning = SpendingWarning(month.name, use.limit, use.scope, state, amount, now)
            yield warning, _notice(warning, use.story(prices, month) or "")


def _notice(warning: SpendingWarning, story: str) -> Notice:
    kind, name = warning.scope
    owner, team = (name if kind is one else "" for one in (ScopeKind.OWNER, ScopeKind.TEAM))
    remedy = _remedy(warning)
    return Notice(NoticeKind.SPENDING_LIMIT, "", owner, warning.state.value, f"{story}.", remedy, team)


def _remedy(warning: SpendingWarning) -> str:
    stops = warning.limit.then is Then.STOP
    if warning.state is UseState.NEAR:
        consequence = "Once it is used up nothing more is started" + (", and what runs is stopped" if stops else "")
    else:
        consequence = "Nothing more is started" + (", what runs is stopped after a checkpoint" if stops else "")
    return f"{consequence}; {_APPLY}."
