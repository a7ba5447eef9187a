"""Converts values to DynamoDB items and back, as boto3 does: the layer contains botocore, but not boto3.

Readers ignore unknown attributes and unknown kinds of actions, so that an older function can run beside a newer one
during a deployment. An unreadable record is broken, or was written by a newer version. A placeholder replaces it, so
that it does not block other jobs. A metric filter in template.yaml counts every log line `unreadable record`.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from math import isfinite
from typing import Any, TypeVar

from cattrs import Converter

from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import Action, ActionKind

#: An item in the form of DynamoDB's API: each value names its type, as in `{"name": {"S": "resnet"}}`.
Item = dict[str, Any]
SCHEMA = 1
UNKNOWN_TIME = datetime.fromtimestamp(0, UTC)
_ACTION_KINDS = frozenset(ActionKind)
Value = TypeVar("Value")
logger = logging.getLogger(__name__)


def attribute_values(values: Mapping[str, object]) -> Item:
    return {name: _typed(value) for name, value in values.items()}


def _typed(value: object) -> dict[str, Any]:
    """Converts as boto3's TypeSerializer does. Raises TypeError."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": value}
        case int() | Decimal() if isfinite(value):
            return {"N": str(value)}
        case bytes():
            return {"B": value}
        case Mapping():
            return {"M": attribute_values(value)}
        case list() | tuple():
            return {"L": [_typed(member) for member in value]}
    raise TypeError(type(value))


def plain(item: Item) -> dict[str, object]:
    return {name: _plain_value(value) for name, value in item.items()}


def _plain_value(value: dict[str, Any]) -> object:
    """Converts as boto3's TypeDeserializer does, for the types in records only. Raises TypeError for any other type."""
    ((kind, content),) = value.items()
    match kind:
        case "S" | "BOOL" | "B":
            return content
        case "N":
            return Decimal(content)
        case "M":
            return plain(content)
        case "L":
            return [_plain_value(member) for member in content]
        case "NULL":
            return None
    raise TypeError(kind)


def record(values: Mapping[str, object], changed_by: str) -> Item:
    return attribute_values({"schema": SCHEMA, "changed_by": changed_by, **values})


def reader_of(kind: type[Value]) -> Callable[[Item], Value]:
    """Returns a function that converts items to this type. For a broken item, it may raise any exception."""
    return lambda item: converter.structure(plain(item), kind)


def read_or_placeholder(read: Callable[[Item], Value], item: Item, instead: Callable[[Item], Value]) -> Value:
    try:
        return read(item)
    except Exception as error:  # noqa: BLE001 - a broken record may make the converter raise anything
        # The log gets only the key: the content may be secret.
        report_unreadable(item, type(error).__name__)
        return instead(item)


def report_unreadable(item: Item, cause: str) -> None:
    """Logs the record, which fires FaultsAlarm."""
    logger.error("unreadable record", extra={"key": f"{item['pk']['S']} {item['sk']['S']}", "cause": cause})


def _make_converter() -> Converter:
    # Unset values get no attribute, so that conditions can check whether the attribute exists.
    made = Converter(omit_if_default=True, detailed_validation=False, unstruct_collection_overrides={frozenset: sorted})
    made.register_unstructure_hook(datetime, moment)
    made.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))
    made.register_unstructure_hook(Demand, Demand.as_dict)
    made.register_structure_hook(Demand, lambda counts, _: _demand_from(counts))
    made.register_unstructure_hook(Budget, Budget.as_dict)
    made.register_structure_hook(Budget, lambda counts, _: Budget.of({kind: int(n) for kind, n in counts.items()}))
    made.register_structure_hook_func(lambda kind: kind == tuple[Action, ...], _known_actions)
    return made


def _demand_from(counts: Mapping[str, Decimal]) -> Demand:
    if any(count < 0 for count in counts.values()):
        raise ValueError("a count of instances is negative")
    return Demand.of({line: int(count) for line, count in counts.items()})


def _known_actions(actions: list[dict[str, object]], _: object) -> tuple[Action, ...]:
    return tuple(converter.structure(action, Action) for action in actions if action["kind"] in _ACTION_KINDS)


converter = _make_converter()
