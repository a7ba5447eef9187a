"""Computes the units that DynamoDB bills for a call, by AWS's published rules.

DynamoDB Local cannot measure this: the version here (1.x) reports four units for any transaction of small items,
regardless of their number. On AWS, a transaction doubles the units of each table item, including those of a
ConditionCheck, but not the units of the indexes. This was measured on AWS in paritysuite/dynamodb-conformance#67 and
nubo-db/dynoxide#188.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Any

from support.dynamodb.stores import table_definition

Item = Mapping[str, Mapping[str, Any]]

_READ_BYTES = 4096
_WRITE_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Index:
    keys: tuple[str, ...]
    others: frozenset[str] | None  # the other attributes in the index; None: all

    def entry(self, item: Item | None) -> Item | None:
        """Returns the index entry of an item, or None if the item lacks the keys."""
        if item is None or any(key not in item for key in self.keys):
            return None
        if self.others is None:
            return item
        wanted = {"pk", "sk", *self.keys, *self.others}
        return {name: value for name, value in item.items() if name in wanted}

    def write_units(self, old: Item | None, new: Item | None) -> int:
        before, after = self.entry(old), self.entry(new)
        if before == after:
            return 0
        if before and after and all(before[key] == after[key] for key in self.keys):
            return _in_units(max(size_of(before), size_of(after)), _WRITE_BYTES)
        return sum(_in_units(size_of(entry), _WRITE_BYTES) for entry in (before, after) if entry)


@cache
def indexes() -> dict[str, Index]:
    return {index["IndexName"]: _index(index) for index in table_definition()["GlobalSecondaryIndexes"]}


def write_units(old: Item | None, new: Item | None, *, in_transaction: bool) -> int:
    largest = max(size_of(item) for item in (old or {}, new or {}))
    table = _in_units(largest, _WRITE_BYTES) * (2 if in_transaction else 1)
    return table + index_units(old, new)


def index_units(old: Item | None, new: Item | None) -> int:
    return sum(index.write_units(old, new) for index in indexes().values())


def read_units(items: Iterable[Item], *, consistent: bool) -> float:
    """Returns the units of items that one call reads."""
    return _in_units(sum(map(size_of, items)), _READ_BYTES) * (1 if consistent else 0.5)


def size_of(item: Item) -> int:
    return sum(len(name.encode()) + _size_of(value) for name, value in item.items())


def _size_of(value: Mapping[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "B":
            return len(content)
        case "N":
            return ceil(len(content) / 2) + 1
        case "M":
            return 3 + sum(1 + len(name.encode()) + _size_of(member) for name, member in content.items())
        case "L":
            return 3 + sum(1 + _size_of(member) for member in content)
    return 1


def _in_units(size: int, unit: int) -> int:
    return max(1, ceil(size / unit))


def _index(definition: Mapping[str, Any]) -> Index:
    projection = definition["Projection"]
    others = None if projection["ProjectionType"] == "ALL" else frozenset(projection.get("NonKeyAttributes", ()))
    return Index(tuple(key["AttributeName"] for key in definition["KeySchema"]), others)
