"""The JSON of what may be spent in a month (docs/api.md)."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from api.documents import spending_answers
from api.http.views import document_view, time_view
from scheduler.core.documents.document import Document
from scheduler.core.spending.judging import Use
from scheduler.core.spending.months import Month
from scheduler.core.spending.prices.price import PriceList

#: What holds where nobody has set limits.
NO_LIMITS_TEXT = '{"format": 1, "time_zone": "UTC", "limits": []}'
_DIGITS = 4


def spending_view(
    document: Document | None, of_month: tuple[Month, Iterable[Use]] | None, prices: PriceList, now: datetime
) -> spending_answers.Spending:
    """Where there is a document, but no month, the document cannot be read."""
    month, uses = of_month or (None, ())
    return {
        **document_view(document, NO_LIMITS_TEXT),
        "readable": document is None or month is not None,
        "month": _month_view(month) if month else None,
        "uses": [_use_view(use, prices, month, now) for use in uses] if month else [],
    }


def _month_view(month: Month) -> spending_answers.MonthlySpending:
    return {
        "name": month.name,
        "begins": time_view(month.begins),
        "ends": time_view(month.ends),
        "time_zone": str(month.begins.tzinfo),
    }


def _use_view(use: Use, prices: PriceList, month: Month, now: datetime) -> spending_answers.SpendingUse:
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
        "reason": use.story(prices, month),
    }


def _rounded(amount: Decimal | None) -> float | None:
    return None if amount is None else round(float(amount), _DIGITS)
