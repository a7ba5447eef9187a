"""Warns about spending limits that are nearly or fully used up. `limit_use.py` decides which limits are near."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.spending.limit_use import LimitUse
from scheduler.core.spending.limits import LimitAction, Scope, ScopeKind, SpendingLimit, UseState
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.spent_time import Month


@dataclass(frozen=True, slots=True)
class SpendingWarning:
    """A warning that the use of a limit has reached the warning share, or the whole limit."""

    month: str  # 2026-11
    limit: SpendingLimit
    scope: Scope
    state: UseState  # NEAR or USED_UP
    used: Decimal
    at: datetime

    @property
    def key(self) -> str:
        """Returns a key that is unique in the month. After a change to its amount or measure, a limit warns again."""
        limit, scope = self.limit, self.scope
        return f"{limit.name}#{limit.most.normalize()} {limit.measure}#{self.state}#{scope.kind}#{scope.name}"


def warnings_of(
    uses: Iterable[LimitUse], prices: PriceList, month: Month, now: datetime
) -> Iterator[tuple[SpendingWarning, Notice]]:
    """Yields a warning and a notice for each use that is certainly near its limit or beyond it."""
    # Each warning is sent once. If attempts that may fail to start counted, the warning would come too early and not be
    # repeated.
    for use in (use.certain for use in uses):
        amount, state = use.amount(prices), use.state(prices)
        if amount is not None and state in {UseState.NEAR, UseState.USED_UP}:
            warning = SpendingWarning(month.name, use.limit, use.scope, state, amount, now)
            yield warning, _notice(warning, use.description(prices, month) or "")


def _notice(warning: SpendingWarning, description: str) -> Notice:
    kind, name = warning.scope
    owner, team = (name if kind is addressed else "" for addressed in (ScopeKind.OWNER, ScopeKind.TEAM))
    stops = warning.limit.then is LimitAction.STOP
    if warning.state is UseState.NEAR:
        consequence = "Once it is used up, no job starts" + (", and running jobs are stopped" if stops else "")
    else:
        consequence = "No job starts" + (", and running jobs are stopped after a checkpoint" if stops else "")
    remedy = f"{consequence}; an operator can raise the limit (section spending of sagequeue config)."
    identity = f"{warning.month}/{warning.key}"
    state = warning.state.value
    return Notice(NoticeKind.SPENDING_LIMIT, "", owner, state, f"{description}.", remedy, team, id=identity)
