"""What instances cost: US dollars for each instance and second of training.

SageMaker bills a managed spot job fewer seconds than it trains, at the same price (aws-facts 2.8): so there is one
price for each type, and what spot saves is known only afterwards.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal

from attrs import field, frozen

from scheduler.core.capacity.gpus import gpus_of
from scheduler.core.jobs.demand import Demand, is_plan_line, type_of

_SECONDS_PER_HOUR = 3600
_CENT = Decimal("0.01")


@frozen
class Price:
    per_hour: Decimal  # of one instance, on demand
    as_of: date
    source: str


@frozen
class PriceList:
    """Prices as they were at a time in a region; a type that is not named has no known price."""

    known: Mapping[str, Price]
    region: str
    spot_shares: Mapping[str, Decimal] = field(factory=dict)  # of training time, that operators expect billed
    gpus: Mapping[str, int] = field(factory=dict)  # of an instance, where operators know better

    def cost(self, demand: Demand, seconds: float) -> Decimal | None:
        """US dollars for these instances during so many billable seconds; None if one of the types has no price.

        Those of a training plan are paid for in advance.
        """
        if self.unknown(demand):
            return None
        paid_by_hour = ((kind, count) for kind, count in demand.counts if not is_plan_line(kind))
        hourly = sum((self.known[kind].per_hour * count for kind, count in paid_by_hour), Decimal())
        return hourly * Decimal(seconds) / _SECONDS_PER_HOUR

    def unknown(self, *demands: Demand) -> tuple[str, ...]:
        """The types in them that have no known price."""
        return tuple(kind for kind in _types_of(demands) if kind not in self.known and not is_plan_line(kind))

    def as_of(self, *demands: Demand) -> date | None:
        """From when the oldest of the prices is that they take; None if none is known."""
        return min((self.known[kind].as_of for kind in _types_of(demands) if kind in self.known), default=None)

    def spot_share(self, demand: Demand) -> Decimal | None:
        """Which part of the training time of spot instances is expected to be billed; None if nobody said."""
        shares = [self.spot_shares.get(kind) for kind in demand]
        known = [share for share in shares if share is not None]
        return max(known) if known and len(known) == len(shares) else None

    def gpus_of(self, instance_type: str) -> int:
        known = self.gpus.get(type_of(instance_type))
        return gpus_of(instance_type) if known is None else known


def _types_of(demands: Iterable[Demand]) -> list[str]:
    return sorted({kind for demand in demands for kind in demand})


def in_dollars(amount: Decimal) -> str:
    """`12.30`: in whole cents, a smaller amount than half a cent with its first digit that counts."""
    rounded = amount.quantize(_CENT)
    return str(rounded) if rounded or not amount else f"{amount:.1g}"
