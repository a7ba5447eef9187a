"""Which uses of limits people are warned of, and in which words."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from scheduler.domain.notice import Notice
from scheduler.domain.notice_kind import NoticeKind
from scheduler.domain.price import PriceList
from scheduler.domain.spending import ScopeKind, Then, UseState
from scheduler.domain.spending_warning import SpendingWarning
from scheduler.policy.spending.judging import Use
from scheduler.policy.spending.months import Month

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
