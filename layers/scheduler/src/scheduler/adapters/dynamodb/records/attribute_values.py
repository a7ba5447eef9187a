"""Converts plain values to DynamoDB's attribute values, and back, as boto3 does.

The layer holds botocore without boto3.
"""

from collections.abc import Mapping
from decimal import Decimal
from math import isfinite
from typing import Any

#: An item as DynamoDB's API has it: each value names its type, as in `{"name": {"S": "resnet"}}`.
Item = dict[str, Any]


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
