"""The instance time spent in a month, by type.

Time is stored instead of dollars, so that a new or corrected price applies to the whole month.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from scheduler.core.jobs.demand import is_plan_line
from scheduler.core.spending.limits import Measure, Scope
from scheduler.core.spending.prices.price import PriceList

_HOUR = 3600


class SpentTimeKey(NamedTuple):
    """The key of a count: a month and a scope."""

    month: str  # 2026-11
    scope: Scope


@dataclass(frozen=True, slots=True)
class SpentTime:
    """Instance seconds by type, including warm pools."""

    held: Mapping[str, float] = field(default_factory=dict)  # while training
    billed: Mapping[str, float] = field(default_factory=dict)

    def plus(self, other: "SpentTime") -> "SpentTime":
        return SpentTime(_sum(self.held, other.held), _sum(self.billed, other.billed))

    def amount(self, measure: Measure, prices: PriceList) -> Decimal | None:
        """Returns GPU hours or dollars; None if a type has no known price. Training plans cost no dollars here."""
        if measure is Measure.GPU_HOURS:
            gpu_seconds = sum(prices.gpus_of(instance_type) * seconds for instance_type, seconds in self.held.items())
            return Decimal(gpu_seconds) / _HOUR
        if self.unpriced(prices):
            return None
        dollars = (
            prices.known[instance_type].per_hour * Decimal(self.billed[instance_type])
            for instance_type in self._paid_by_hour()
        )
        return sum(dollars, Decimal()) / _HOUR

    def unpriced(self, prices: PriceList) -> list[str]:
        return sorted(instance_type for instance_type in self._paid_by_hour() if instance_type not in prices.known)

    def _paid_by_hour(self) -> list[str]:
        return [instance_type for instance_type in self.billed if not is_plan_line(instance_type)]


def _sum(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    return {
        instance_type: first.get(instance_type, 0.0) + second.get(instance_type, 0.0)
        for instance_type in {**first, **second}
    }
