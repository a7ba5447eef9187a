"""Calls about prices and spending limits: GET /prices and GET /spending."""

from datetime import datetime
from decimal import Decimal
from heapq import nlargest

from typing_extensions import TypedDict

from api.answers import Day, Time, time_view
from api.call import Call
from scheduler.core.spending.limit_use import LimitUse
from scheduler.core.spending.limits import LimitAction, Measure, ScopeKind, UseState
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.spent_time import Month
from scheduler.wiring import shared

_DIGITS = 4
#: Users choose tags freely, so the number of scopes has no other limit.
_MOST_USES = 500


class Price(TypedDict):
    """The on-demand price of one instance in US dollars, or null if unknown."""

    dollars_per_hour: float | None
    as_of: Day | None
    source: str | None
    spot_share: float | None
    gpus: int


class Prices(TypedDict):
    """All known prices by instance type. Prices in the configuration override the built-in prices."""

    region: str
    prices: dict[str, Price]


class SpendingUse(TypedDict):
    """An owner's, team's or tag's use of a limit this month.

    `used` includes `running`, the use of running jobs. `forecast` is the expected use at the end of the month, at this
    month's average rate. If a count or a price is unknown, all three are null and the state is `unknown`.
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
    """The month to which the limits apply."""

    name: str
    begins: Time
    ends: Time
    time_zone: str


class Spending(TypedDict):
    """The use of each spending limit. `month` is null if there are no limits.

    `left_out` counts the entries with the lowest use that did not fit into the answer.
    """

    month: MonthlySpending | None
    uses: list[SpendingUse]
    left_out: int


def get_prices(_call: Call) -> Prices:
    prices = shared.configuration_reader().prices()
    return {"region": prices.region, "prices": _prices_view(prices)}


def get_spending(_call: Call) -> Spending:
    reader, live = shared.configuration_reader(), shared.job_stores().live_attempts.live()
    configuration = reader.current()
    use = shared.spending_reader().uses_in_month(configuration, live)
    if use is None:
        return {"month": None, "uses": [], "left_out": 0}
    (month, uses), prices, now = use, reader.prices(configuration), shared.clock().now()
    shown = uses if len(uses) <= _MOST_USES else nlargest(_MOST_USES, uses, key=lambda use: _share(use, prices))
    views = [_use_view(limit_use, prices, month, now) for limit_use in shown]
    return {"month": _month_view(month), "uses": views, "left_out": len(uses) - len(shown)}


def _share(use: LimitUse, prices: PriceList) -> Decimal:
    """Returns the used share of the limit. An unknown use counts as the whole limit."""
    amount = use.amount(prices)
    return amount / use.limit.most if amount is not None and use.limit.most else Decimal(1)


def _prices_view(prices: PriceList) -> dict[str, Price]:
    instance_types = sorted({*prices.known, *prices.spot_shares, *prices.gpus})
    return {instance_type: _price_view(instance_type, prices) for instance_type in instance_types}


def _price_view(instance_type: str, prices: PriceList) -> Price:
    price, share = prices.known.get(instance_type), prices.spot_shares.get(instance_type)
    return {
        "dollars_per_hour": float(price.per_hour) if price else None,
        "as_of": price.as_of.isoformat() if price else None,
        "source": price.source if price else None,
        "spot_share": None if share is None else float(share),
        "gpus": prices.gpus_of(instance_type),
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
