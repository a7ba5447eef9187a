"""DynamoDB's size limits on items, keys and transactions, and its refusals (aws-facts 4.20, 4.21, 4.24, 4.25)."""

from collections.abc import Iterable, Mapping
from typing import Any

from support.dynamodb.expressions import Item

LARGEST_ITEM = 400 * 1024
LARGEST_TRANSACTION = 4 * 1024 * 1024
MOST_ACTIONS = 100
LONGEST_PARTITION_KEY, LONGEST_SORT_KEY = 2048, 1024
_INVALID = "One or more parameter values were invalid: "
_CONTAINER = 3  # bytes of a map or list, in addition to one for each member


def size_of(item: Item) -> int:
    """Returns the size of an item in bytes as DynamoDB counts it, including the names of its attributes."""
    return sum(_length(name) + _size_of_value(value) for name, value in item.items())


def problem_with_item(item: Item, *, is_update: bool = False) -> str | None:
    """Returns why DynamoDB refuses to store the item; None if it accepts the item."""
    if size_of(item) > LARGEST_ITEM:
        return f"Item size{' to update' if is_update else ''} has exceeded the maximum allowed size"
    return None


def problem_with_key(key: tuple[str, str]) -> str | None:
    partition_key, sort_key = key
    if _length(partition_key) > LONGEST_PARTITION_KEY:
        return f"{_INVALID}Size of hashkey has exceeded the maximum size limit of{LONGEST_PARTITION_KEY} bytes"
    if _length(sort_key) > LONGEST_SORT_KEY:
        return f"{_INVALID}Aggregated size of all range keys has exceeded the size limit of {LONGEST_SORT_KEY} bytes"
    return None


def problem_with_transaction(actions: int, items: Iterable[Item]) -> str | None:
    if actions > MOST_ACTIONS:
        return (
            "1 validation error detected: Value at 'transactItems' failed to satisfy constraint: "
            f"Member must have length less than or equal to {MOST_ACTIONS}"
        )
    if sum(map(size_of, items)) > LARGEST_TRANSACTION:
        return "Transaction request cannot be larger than 4MB"
    return None


def _size_of_value(value: Mapping[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return _length(content)
        case "N":
            digits = content.strip("-0.").replace(".", "")
            return (len(digits) + 1) // 2 + (2 if content.startswith("-") else 1)
        case "B":
            return len(bytes(content))
        case "M":
            return _CONTAINER + len(content) + size_of(content)
        case "L":
            return _CONTAINER + len(content) + sum(map(_size_of_value, content))
    return 1  # BOOL, NULL


def _length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
