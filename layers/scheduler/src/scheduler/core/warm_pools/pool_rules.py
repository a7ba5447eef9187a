"""Defines the operators' rules for warm pools by instance type: never, when users ask for them, or always."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT

_MINUTE = 60
#: A pool kept for up to this long saves about as much as it costs, on the trace in docs/admin/pools.md.
DEFAULT_MINUTES = 5


class PoolUse(StrEnum):
    OFF = "off"  # no job leaves a pool, even if its request asks for one
    REUSE = "reuse"  # a job leaves a pool for as long as requested, up to the cap
    HOLD = "hold"  # each job leaves a pool, for as long as the caps allow


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRule:
    """The rule for a type. `minutes` and `dollars` limit how long one unused pool may last and how much it may cost."""

    instance_type: str
    use: PoolUse
    minutes: int | None = None  # None: DEFAULT_MINUTES
    dollars: Decimal | None = None


@dataclass(frozen=True, slots=True)
class PoolRules:
    by_type: Mapping[str, PoolRule] = field(default_factory=dict)
    prices: PriceList = SNAPSHOT

    def keep_alive(self, job: Job) -> int:
        """Returns how many seconds the instances of the job's next attempt are kept after it ends; 0 if not kept."""
        instance_types = tuple(job.spec.demand)
        # Mixed clusters have no warm pools (aws-facts 2.54).
        rule = self.by_type.get(instance_types[0]) if len(instance_types) == 1 else None
        if rule is None or rule.use is PoolUse.OFF:
            return 0
        if rule.use is PoolUse.REUSE:
            return min(job.spec.keep_alive, self._max_seconds(rule, job.spec.demand))
        return self._max_seconds(rule, job.spec.demand) if job.spec.pool_key else 0

    def _max_seconds(self, rule: PoolRule, demand: Demand) -> int:
        seconds = (DEFAULT_MINUTES if rule.minutes is None else rule.minutes) * _MINUTE
        hourly = self.prices.cost(demand, 60 * _MINUTE)
        if rule.dollars is None:
            return seconds
        return 0 if hourly is None else min(seconds, int(rule.dollars / hourly * 60 * _MINUTE))


#: The rules that apply until operators set some.
NO_POOLS = PoolRules()
