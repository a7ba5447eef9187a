"""The schema of the section `pools`: the rules for warm pools."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal

from scheduler.core.jobs.demand import type_of
from scheduler.core.sections.durations import Duration
from scheduler.core.sections.schema import FieldProblem, Schema
from scheduler.core.sections.strict_structure import check_field
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.warm_pools.pool_rules import PoolRule, PoolUse

#: The longest KeepAlivePeriodInSeconds in SageMaker's guide, in minutes; the API model allows more (aws-facts 2.50).
MAX_MINUTES = 60


_MINUTE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """A rule as operators write it: `keep` and `dollars` limit one unused pool."""

    instance_type: str
    use: PoolUse
    keep: Duration | None = None
    dollars: Decimal | None = None

    def __post_init__(self) -> None:
        is_period = self.keep is None or (self.keep % _MINUTE == 0 and 1 <= self.keep // _MINUTE <= MAX_MINUTES)
        problem = f"must be whole minutes from 1m to {MAX_MINUTES}m: SageMaker keeps no pool longer"
        check_field("keep", is_period, problem)

    def rule(self) -> PoolRule:
        minutes = None if self.keep is None else self.keep // _MINUTE
        return PoolRule(instance_type=self.instance_type, use=self.use, minutes=minutes, dollars=self.dollars)


def problems(rules: tuple[PoolRule, ...], types: Collection[str], prices: PriceList) -> Iterator[FieldProblem]:
    """Yields problems in rules that could not be applied. `types` are the instance types in the budget."""
    on_demand = sorted(instance_type for instance_type in types if type_of(instance_type) == instance_type)
    seen: set[str] = set()
    for index, rule in enumerate(rules):
        path = f"[{index}]"
        if rule.instance_type in seen:
            yield f"{path}.instance_type", f"{rule.instance_type} has a rule above"
        if rule.instance_type not in on_demand:
            yield f"{path}.instance_type", f"is not in the budget; choose from {', '.join(on_demand)}"
        yield from _cap_problems(path, rule, prices)
        seen.add(rule.instance_type)


def _cap_problems(path: str, rule: PoolRule, prices: PriceList) -> Iterator[FieldProblem]:
    if rule.use is PoolUse.OFF:
        if rule.minutes is not None or rule.dollars is not None:
            yield f"{path}.use", "is off, which allows neither keep nor dollars"
        return
    for member, cap in (("keep", rule.minutes), ("dollars", rule.dollars)) if rule.use is PoolUse.HOLD else ():
        if cap is None:
            yield f"{path}.{member}", "is missing: all jobs leave such pools behind, so set limits in time and dollars"
    if rule.dollars is not None and rule.dollars <= 0:
        yield f"{path}.dollars", "must be more than 0"
    if rule.dollars is not None and rule.instance_type not in prices.known:
        yield f"{path}.dollars", f"cannot be checked: no price of {rule.instance_type} is known; add it to prices"


SCHEMA: Schema[tuple[PoolRule, ...]] = Schema(
    tuple[_Rule, ...], lambda rules: tuple(rule.rule() for rule in rules), default=[]
)
