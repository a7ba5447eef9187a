"""What operators want of warm pools, by instance type: none, those that users ask for, or more."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum

from attrs import field, frozen

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT

_MINUTE = 60
#: Up to here a pool saves about as much as it costs, on the trace of docs/capacity.md.
DEFAULT_MINUTES = 5


class PoolUse(StrEnum):
    OFF = "off"  # no job leaves a pool, whatever it asks for
    REUSE = "reuse"  # a job leaves one for as long as it asks for, up to the cap
    HOLD = "hold"  # each job leaves one, for as long as the caps allow


@frozen(kw_only=True)
class PoolRule:
    """`minutes` and `dollars` are the most that one pool may last and cost while nobody uses it."""

    instance_type: str
    use: PoolUse
    minutes: int | None = None  # left out: DEFAULT_MINUTES of what users ask for
    dollars: Decimal | None = None


@frozen
class PoolRules:
    by_type: Mapping[str, PoolRule] = field(factory=dict)
    prices: PriceList = SNAPSHOT

    def keep_alive(self, job: Job) -> int:
        """For how many seconds the instances of the job's next attempt are kept beyond its end; 0: not at all."""
        kinds = tuple(job.demand)
        rule = self.by_type.get(kinds[0]) if len(kinds) == 1 else None  # none of mixed clusters (aws-facts 2.54)
        if rule is None or rule.use is PoolUse.OFF:
            return 0
        if rule.use is PoolUse.REUSE:
            return min(job.keep_alive, self._longest(rule, job.demand))
        return self._longest(rule, job.demand) if job.pool_key else 0

    def _longest(self, rule: PoolRule, demand: Demand) -> int:
        seconds = (DEFAULT_MINUTES if rule.minutes is None else rule.minutes) * _MINUTE
        hourly = self.prices.cost(demand, 60 * _MINUTE)
        if rule.dollars is None:
            return seconds
        return 0 if hourly is None else min(seconds, int(rule.dollars / hourly * 60 * _MINUTE))


#: Of a queue whose operators have laid down nothing.
NO_POOLS = PoolRules()
