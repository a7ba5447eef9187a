"""Builds conditional writes for the table, alone or in transactions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scheduler.adapters.dynamodb.records.record_converter import Item, attribute_values
from scheduler.errors.internal import SchedulerError, StaleJob

ABSENT, PRESENT = "attribute_not_exists(pk)", "attribute_exists(pk)"
_NONE: Mapping[str, Any] = {}
#: An error, or a function that makes the error from the item that failed the condition (empty if there is none).
Refusal = SchedulerError | Callable[[Item], SchedulerError]


def _changed(_: Item) -> SchedulerError:
    return StaleJob("a record of the queue")


@dataclass(frozen=True, slots=True)
class Write:
    """A write, and the error that a transaction raises if the write's condition fails."""

    kind: Literal["Put", "Update", "Delete", "ConditionCheck"]
    parameters: Mapping[str, Any]  # as in DynamoDB's API, without the table's name
    refusal: Refusal = _changed


def put(
    item: Item,
    condition: str = "",
    values: Mapping[str, object] = _NONE,
    refusal: Refusal = _changed,
    names: Mapping[str, str] = _NONE,
) -> Write:
    return Write("Put", {"Item": item, **_conditional(condition, values, names)}, refusal)


def update(
    key: Item,
    expression: str,
    condition: str = "",
    values: Mapping[str, object] = _NONE,
    refusal: Refusal = _changed,
    names: Mapping[str, str] = _NONE,
) -> Write:
    parameters = {"Key": key, "UpdateExpression": expression, **_conditional(condition, values, names)}
    return Write("Update", parameters, refusal)


def set_attributes(
    key: Item,
    changes: Mapping[str, object],
    condition: str,
    values: Mapping[str, object] = _NONE,
    refusal: Refusal = _changed,
    names: Mapping[str, str] = _NONE,
) -> Write:
    expression = "SET " + ", ".join(f"{name} = :{name}" for name in changes)
    return update(
        key, expression, condition, {**{f":{name}": value for name, value in changes.items()}, **values}, refusal, names
    )


def delete(key: Item, condition: str = "", values: Mapping[str, object] = _NONE, refusal: Refusal = _changed) -> Write:
    return Write("Delete", {"Key": key, **_conditional(condition, values)}, refusal)


def check(key: Item, condition: str, values: Mapping[str, object], refusal: Refusal) -> Write:
    """Fails if the condition does not hold. Changes nothing."""
    return Write("ConditionCheck", {"Key": key, **_conditional(condition, values)}, refusal)


def _conditional(condition: str, values: Mapping[str, object], names: Mapping[str, str] = _NONE) -> dict[str, Any]:
    parameters = {
        "ConditionExpression": condition,
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": attribute_values(values),
    }
    return {name: value for name, value in parameters.items() if value}  # DynamoDB refuses empty parameters
