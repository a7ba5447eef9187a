"""Weighs the use of instances by type, so that an hour of a large instance counts more than an hour of a small one.

The weight of a type is the weight that operators set, else its price per hour in dollars, else its number of GPUs, but
at least 1. Without prices, each instance weighs 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scheduler.core.jobs.demand import Demand, type_of
from scheduler.core.spending.prices.price import PriceList


@dataclass(frozen=True, slots=True)
class UsageWeights:
    own: Mapping[str, float] = field(default_factory=dict)  # by instance type, as operators set them
    prices: PriceList | None = None

    def of(self, demand: Demand) -> float:
        """Returns the total weight of these instances."""
        return sum(count * self._of_type(type_of(line)) for line, count in demand.counts)

    def _of_type(self, instance_type: str) -> float:
        if instance_type in self.own:
            return self.own[instance_type]
        if self.prices is None:
            return 1.0
        price = self.prices.known.get(instance_type)
        return float(price.per_hour) if price else float(max(1, self.prices.gpus_of(instance_type)))
