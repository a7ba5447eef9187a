"""Parses the document of pool rules."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from scheduler.core.documents.document import DocumentKind
from scheduler.core.documents.parser import DocumentParser, FieldProblem
from scheduler.core.jobs.demand import is_plan_line
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.warm_pools.pool_rules import PoolRule, PoolRules, PoolUse

#: The longest KeepAlivePeriodInSeconds in the guide; the API model allows more (aws-facts 2.50).
MAX_MINUTES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    pools: tuple[PoolRule, ...]


def rules_of(text: str) -> PoolRules:
    """Returns the rules of an applied document. Raises BadDocument."""
    return PoolRules({rule.instance_type: rule for rule in _parser.read(text)})


def validated(text: str, types: Collection[str], prices: PriceList) -> PoolRules:
    """Returns the rules of a new document; `types` are those of the budget. Raises BadDocument."""
    on_demand = [instance_type for instance_type in types if not is_plan_line(instance_type)]
    _parser.validated(text, lambda rules: _problems(rules, on_demand, prices))
    return rules_of(text)


def _problems(rules: tuple[PoolRule, ...], types: Collection[str], prices: PriceList) -> Iterator[FieldProblem]:
    seen: set[str] = set()
    for index, rule in enumerate(rules):
        path = f"pools[{index}]"
        if rule.instance_type in seen:
            yield f"{path}.instance_type", f"{rule.instance_type} has a rule above"
        if rule.instance_type not in types:
            yield f"{path}.instance_type", f"is not in the budget; choose from {', '.join(sorted(types))}"
        yield from _cap_problems(path, rule, prices)
        seen.add(rule.instance_type)


def _cap_problems(path: str, rule: PoolRule, prices: PriceList) -> Iterator[FieldProblem]:
    if rule.use is PoolUse.OFF:
        if rule.minutes is not None or rule.dollars is not None:
            yield f"{path}.use", "is off, which allows neither minutes nor dollars"
        return
    if rule.minutes is not None and not 1 <= rule.minutes <= MAX_MINUTES:
        yield f"{path}.minutes", f"must be 1 to {MAX_MINUTES}: SageMaker keeps a pool no longer"
    for cap in ("minutes", "dollars") if rule.use is PoolUse.HOLD else ():
        if getattr(rule, cap) is None:
            yield f"{path}.{cap}", "is missing: what the queue holds by itself needs a cap in minutes and in dollars"
    if rule.dollars is not None and rule.dollars <= 0:
        yield f"{path}.dollars", "must be more than 0"
    if rule.dollars is not None and rule.instance_type not in prices.known:
        yield f"{path}.dollars", f"cannot be checked: no price of {rule.instance_type} is known (GET /prices)"


_parser = DocumentParser(DocumentKind.POOL_RULES, _Content, lambda content: content.pools)
