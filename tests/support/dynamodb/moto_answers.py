"""Lets moto find the members of DynamoDB's values at once, which it would look for under six other names first."""

from typing import Any

from moto.core.serialize import ResponseSerializer

_MEMBERS = frozenset({"S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL"})


def find_members_at_once() -> None:
    """Replaces the search, which took half of moto's time."""
    search = ResponseSerializer.get_value

    def get_value(serializer: ResponseSerializer, value: Any, key: str, shape: Any) -> Any:
        if key in _MEMBERS and type(value) is dict:
            return value.get(key)
        return search(serializer, value, key, shape)

    ResponseSerializer.get_value = get_value
