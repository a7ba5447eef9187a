"""What has been spent in a month: seconds of instances by type.

So a price that becomes known, or turns out wrong, is right for the whole month at once.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from attrs import field, frozen

from scheduler.core.jobs.demand import is_plan_line
from scheduler.core.spending.limits import Measure, Scope
from scheduler.core.spending.prices.price import PriceList

_HOUR = 3600


class SpentKey(NamedTuple):
    month: str  # 2026-11
    scope: Scope


@frozen
class Spent:
    """Seconds of instances by type, warm pools included."""

    held: Mapping[str, float] = field(factory=dict)  # while they trained
    billed: Mapping[str, float] = field(factory=dict)

    def plus(self, other: "Spent") -> "Spent":
        return Spent(_sum(self.held, other.held), _sum(self.billed, other.billed))

    def amount(self, measure: Measure, prices: PriceList) -> Decimal | None:
        """GPU hours or dollars; None if a type has no known price. Training plans are paid for as a whole."""
        if measure is Measure.GPU_HOURS:
            gpu_seconds = sum(prices.gpus_of(kind) * seconds for kind, seconds in self.held.items())
            return Decimal(gpu_seconds) / _HOUR
        if self.unpriced(prices):
            return None
        dollars = (prices.known[kind].per_hour * Decimal(self.billed[kind]) for kind in self._paid_by_hour())
        return sum(dollars, Decimal()) / _HOUR

    def unpriced(self, prices: PriceList) -> list[str]:
        return sorted(kind for kind in self._paid_by_hour() if kind not in prices.known)

    def _paid_by_hour(self) -> list[str]:
        return [kind for kind in self.billed if not is_plan_line(kind)]


def _sum(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    return {kind: one.get(kind, 0.0) + other.get(kind, 0.0) for kind in {**one, **other}}
