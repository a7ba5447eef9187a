"""Defines prices of instances and price lists, which compute the cost of instances for a number of seconds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from scheduler.core.capacity.gpus import gpus_of
from scheduler.core.jobs.demand import Demand, is_plan_line, type_of

_SECONDS_PER_HOUR = 3600
_CENT = Decimal("0.01")


# SageMaker bills a managed spot job for fewer seconds than it trains, at the same price (aws-facts 2.8). So each type
# has one price, and the saving from spot instances is known only afterwards.
@dataclass(frozen=True, slots=True)
class Price:
    per_hour: Decimal  # the on-demand price of one instance
    as_of: date
    source: str


@dataclass(frozen=True, slots=True)
class PriceList:
    """The known prices in a region. A type that is not in `known` has no known price."""

    known: Mapping[str, Price]
    region: str
    #: The share of spot training time that operators expect to be billed, by type.
    spot_shares: Mapping[str, Decimal] = field(default_factory=dict)
    gpus: Mapping[str, int] = field(default_factory=dict)  # an instance's weights, if operators set them

    def cost(self, demand: Demand, seconds: float) -> Decimal | None:
        """Returns the cost in dollars of these instances for this many billable seconds; None if a price is unknown."""
        if self.unknown(demand):
            return None
        hourly = sum((self.hourly(line) * count for line, count in demand.counts), Decimal())
        return hourly * Decimal(seconds) / _SECONDS_PER_HOUR

    def hourly(self, line: str) -> Decimal:
        """Returns the price of an instance hour in dollars. The price must be known.

        Instances of a training plan are paid in advance, and cost nothing here. Instances for processing jobs cost as
        much as those for training jobs.
        """
        return Decimal() if is_plan_line(line) else self.known[type_of(line)].per_hour

    def unknown(self, *demands: Iterable[str]) -> tuple[str, ...]:
        """Returns the types in these demands that have no known price."""
        return tuple(sorted(_paid_types(demands) - self.known.keys()))

    def as_of(self, *demands: Demand) -> date | None:
        """Returns the day of the oldest price that these demands need; None if no price is known."""
        known = _paid_types(demands) & self.known.keys()
        return min((self.known[instance_type].as_of for instance_type in known), default=None)

    def spot_share(self, demand: Demand) -> Decimal | None:
        """Returns the share of spot training time that operators expect to be billed; None if it is unknown."""
        shares = [self.spot_shares.get(instance_type) for instance_type in demand]
        known = [share for share in shares if share is not None]
        return max(known) if known and len(known) == len(shares) else None

    def gpus_of(self, instance_type: str) -> int:
        known = self.gpus.get(type_of(instance_type))
        return gpus_of(instance_type) if known is None else known


def _paid_types(demands: Iterable[Iterable[str]]) -> set[str]:
    """Returns the types that are paid by the hour."""
    return {type_of(line) for demand in demands for line in demand if not is_plan_line(line)}


def in_dollars(amount: Decimal) -> str:
    """Formats an amount in whole cents, such as `12.30`. Amounts below half a cent show one significant digit."""
    rounded = amount.quantize(_CENT)
    return str(rounded) if rounded or not amount else f"{amount:.1g}"
