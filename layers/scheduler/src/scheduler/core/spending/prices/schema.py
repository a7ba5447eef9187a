"""The schema of the section `prices`, in which operators set the prices of instances."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from scheduler.core.jobs.demand import INSTANCE_TYPE
from scheduler.core.sections.schema import FieldProblem, Schema
from scheduler.core.sections.strict_structure import check_field
from scheduler.core.spending.prices.price import Price, PriceList

#: Far above any price, so that the bound detects cents entered as dollars.
_MOST_DOLLARS = 10_000
_MOST_GPUS = 1024
_CENTURY = (2000, 2100)
_A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A price as operators write it. Members that are left out keep their known values."""

    instance_type: str
    dollars_per_hour: Decimal | None = None
    spot_share: Decimal | None = None
    gpus: int | None = None

    def __post_init__(self) -> None:
        price, share, gpus = self.dollars_per_hour, self.spot_share, self.gpus
        is_type = INSTANCE_TYPE.fullmatch(self.instance_type)
        check_field("instance_type", is_type, "must be an instance type such as ml.g5.xlarge")
        if price is None and share is None and gpus is None:
            raise ValueError("must have at least one of dollars_per_hour, spot_share and gpus")
        is_price = price is None or 0 < price <= _MOST_DOLLARS
        check_field("dollars_per_hour", is_price, f"must be above 0, and at most {_MOST_DOLLARS}")
        is_share = share is None or 0 < share <= 1
        problem = "must be above 0, and at most 1: it is the share of the time that is billed"
        check_field("spot_share", is_share, problem)
        check_field("gpus", gpus is None or 0 <= gpus <= _MOST_GPUS, f"must be 0 to {_MOST_GPUS}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorsPrices:
    """The prices that operators set."""

    as_of: date | None = None  # the day of the prices
    prices: tuple[_Entry, ...] = ()

    def __post_init__(self) -> None:
        check_field("as_of", self.as_of or not self.prices, "is missing: it is the day of the prices")

    def over(self, base: PriceList) -> PriceList:
        """Returns a price list in which these prices override those of `base`."""
        own = {
            entry.instance_type: Price(entry.dollars_per_hour, self.as_of, "set by operators")
            for entry in self.prices
            if entry.dollars_per_hour is not None and self.as_of is not None
        }
        shares = {entry.instance_type: entry.spot_share for entry in self.prices if entry.spot_share is not None}
        gpus = {entry.instance_type: entry.gpus for entry in self.prices if entry.gpus is not None}
        return PriceList({**base.known, **own}, base.region, shares, gpus)


def problems(prices: OperatorsPrices, now: datetime) -> Iterator[FieldProblem]:
    """Yields problems: a day in the future, and more than one entry for a type."""
    if prices.as_of is not None and prices.as_of > (now + _A_DAY).date():  # it may already be tomorrow in their zone
        yield "as_of", "is in the future: give the day of the prices"
    seen: set[str] = set()
    for index, entry in enumerate(prices.prices):
        if entry.instance_type in seen:
            yield f"prices[{index}].instance_type", f"{entry.instance_type} has an entry above"
        seen.add(entry.instance_type)


def _day(text: Any, _: object) -> date:
    try:
        day = date.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise ValueError("must be a day such as 2026-11-22") from error
    if not _CENTURY[0] <= day.year < _CENTURY[1]:
        raise ValueError(f"must be in the years {_CENTURY[0]} to {_CENTURY[1] - 1}")
    return day


SCHEMA: Schema[OperatorsPrices] = Schema(OperatorsPrices, hooks={date: _day})
