"""Parses the document of pool rules: JSON text becomes PoolRules, or a list of all its errors."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from cattrs import Converter

from scheduler.core.documents import document_reading
from scheduler.core.documents.document_reading import FieldProblem
from scheduler.core.documents.strict_structure import strict_converter
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.warm_pools.pool_rules import PoolRule, PoolRules, PoolUse
from scheduler.errors.config_errors import BadPoolRules

#: The longest KeepAlivePeriodInSeconds in the guide; the API model allows more (aws-facts 2.50).
MAX_MINUTES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    pools: tuple[PoolRule, ...]


@lru_cache(maxsize=4)  # every cycle asks for the document that is in force
def rules_of(text: str) -> PoolRules:
    """Reads a document that was valid when it was applied. Raises BadPoolRules."""
    rules = document_reading.read(text, _structured, BadPoolRules)
    return PoolRules({rule.instance_type: rule for rule in rules})


def validated(text: str, types: Collection[str], prices: PriceList) -> PoolRules:
    """Reads a new document. Raises BadPoolRules with all its errors; `types` are those of the budget."""
    document_reading.refuse_ambiguous(text, BadPoolRules)
    rules = document_reading.read(text, _structured, BadPoolRules)
    document_reading.refuse_problems(text, _problems(rules, types, prices), BadPoolRules)
    return rules_of(text)


def _structured(document: Mapping[str, Any]) -> tuple[PoolRule, ...]:
    return _converter.structure(document, _Content).pools


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


def _dollars(value: Any, _: object) -> Decimal | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ValueError("must be a number")
    return None if value is None else Decimal(str(value))


def _make_converter() -> Converter:
    converter = strict_converter()
    converter.register_structure_hook_func(lambda kind: kind == Decimal | None, _dollars)
    return converter


_converter = _make_converter()
