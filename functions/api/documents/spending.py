"""GET and PUT of the monthly spending limits, and how much of each limit is used."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from typing_extensions import TypedDict

from api.documents.versions import DocumentAnswer, document_view, replaced_version
from api.http.answers import Time
from api.http.call import Call
from api.http.views import time_view
from scheduler.core.callers.permissions import Verb
from scheduler.core.documents.document import Document
from scheduler.core.spending.limit_use import LimitUse
from scheduler.core.spending.limits import LimitAction, Measure, ScopeKind, UseState
from scheduler.core.spending.months import Month
from scheduler.core.spending.prices.price import PriceList
from scheduler.errors.config_errors import BadDocument
from scheduler.wiring import config, shared

#: The document that has the same effect as none.
NO_LIMITS_TEXT = '{"format": 1, "time_zone": "UTC", "limits": []}'
_DIGITS = 4


class SpendingUse(TypedDict):
    """The part of a limit that an owner, team or tag has used in this month.

    `used` includes the use of running jobs, `running`. `forecast` is the use at the end of the month at the average
    rate since its beginning. All three are null, and the state is `unknown`, if a count or a price is not known.
    """

    limit: str
    kind: ScopeKind
    scope: str
    measure: Measure
    most: float
    used: float | None
    running: float | None
    forecast: float | None
    warn_at: float
    then: LimitAction
    state: UseState
    reason: str | None


class MonthlySpending(TypedDict):
    """The month that limits count in."""

    name: str
    begins: Time
    ends: Time
    time_zone: str


class Spending(DocumentAnswer):
    """The applied spending limits, version 0 if there are none, and how much of each is used.

    If the document is not `readable`, no job starts until an operator applies another one.
    """

    readable: bool
    month: MonthlySpending | None
    uses: list[SpendingUse]


def get_spending(_call: Call) -> Spending:
    return _answer(config.spending_editor().get())


def apply_spending(call: Call) -> Spending:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return _answer(config.spending_editor().apply(call.body, call.caller, replaced_version(call)))


def _answer(document: Document | None) -> Spending:
    try:
        month_and_uses = shared.spending_reader().uses_in_month(shared.job_stores().live_attempts.live())
    except BadDocument:
        month_and_uses = None
    return _spending_view(document, month_and_uses, shared.prices().current(), shared.clock().now())


def _spending_view(
    document: Document | None, month_and_uses: tuple[Month, Iterable[LimitUse]] | None, prices: PriceList, now: datetime
) -> Spending:
    """Returns the JSON of the limits. A document without a month is one that cannot be read."""
    month, uses = month_and_uses or (None, ())
    return {
        **document_view(document, NO_LIMITS_TEXT),
        "readable": document is None or month is not None,
        "month": _month_view(month) if month else None,
        "uses": [_use_view(use, prices, month, now) for use in uses] if month else [],
    }


def _month_view(month: Month) -> MonthlySpending:
    return {
        "name": month.name,
        "begins": time_view(month.begins),
        "ends": time_view(month.ends),
        "time_zone": str(month.begins.tzinfo),
    }


def _use_view(use: LimitUse, prices: PriceList, month: Month, now: datetime) -> SpendingUse:
    limit, amount = use.limit, use.amount(prices)
    running = use.running.amount(limit.measure, prices) if amount is not None else None
    return {
        "limit": limit.name,
        "kind": use.scope.kind,
        "scope": use.scope.name,
        "measure": limit.measure,
        "most": float(limit.most),
        "used": _rounded(amount),
        "running": _rounded(running),
        "forecast": _rounded(use.forecast(prices, month, now)),
        "warn_at": float(limit.warn_at),
        "then": limit.then,
        "state": use.state(prices),
        "reason": use.description(prices, month),
    }


def _rounded(amount: Decimal | None) -> float | None:
    return None if amount is None else round(float(amount), _DIGITS)
