"""Keeps the records in a table or an index in the order of their sort keys."""

import re
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

from support.dynamodb.expressions import Item
from support.stack.environment import Index

_CONDITION = re.compile(r"\w+ = (:\w+)(?: AND \w+ (?:> (:\w+)|< (:\w+)|BETWEEN (:\w+) AND (:\w+)))?")
_SORT_KEY, _KEY = itemgetter(0), itemgetter(2)
_Entry = tuple[str, str, tuple[str, str]]  # the sort key; the record's keys break ties


@dataclass(slots=True)
class Span:
    """A range of keys: a partition, or the part of it between two sort keys."""

    partition: str
    behind: str | None = None
    before: str | None = None
    first: str | None = None
    last: str | None = None

    @classmethod
    def of(cls, condition: str, values: Mapping[str, Any]) -> "Span":
        """Reads a key condition. Raises ValueError if the condition is not supported."""
        partition, bounds = _placeholders(condition)
        return cls(values[partition]["S"], **{bound: values[name]["S"] for bound, name in bounds})

    def part_of(self, entries: list[_Entry]) -> slice:
        start, end = 0, len(entries)
        if self.behind is not None:
            start = bisect_right(entries, self.behind, key=_SORT_KEY)
        if self.before is not None:
            end = bisect_left(entries, self.before, key=_SORT_KEY)
        if self.first is not None and self.last is not None:
            start = bisect_left(entries, self.first, key=_SORT_KEY)
            end = bisect_right(entries, self.last, key=_SORT_KEY)
        return slice(start, end)


@cache
def _placeholders(condition: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Returns the placeholders of the partition and of each bound."""
    if (found := _CONDITION.fullmatch(condition)) is None:
        raise ValueError(condition)
    bounds = zip(("behind", "before", "first", "last"), found.groups()[1:], strict=True)
    return found[1], tuple((bound, name) for bound, name in bounds if name)


class SortedRecords:
    def __init__(self, by: Index) -> None:
        self._by = by
        self._items: dict[tuple[str, str], Item] = {}
        self._entries: defaultdict[str, list[_Entry]] = defaultdict(list)  # by partition

    def put(self, key: tuple[str, str], item: Item | None) -> None:
        """Replaces a record. Removes it if there is no item, or if the item lacks the keys of the index."""
        if old := self._items.pop(key, None):
            entries = self._entries[self._partition(old)]
            del entries[bisect_left(entries, self._entry(key, old))]
        if item is not None and self._by.partition in item and self._by.sort in item:
            self._items[key] = item
            insort(self._entries[self._partition(item)], self._entry(key, item))

    def get(self, key: tuple[str, str]) -> Item | None:
        return self._items.get(key)

    def within(self, span: Span, *, backwards: bool) -> Iterator[Item]:
        entries = self._entries[span.partition]
        part = entries[span.part_of(entries)]
        return map(self._items.__getitem__, map(_KEY, reversed(part) if backwards else part))

    def _partition(self, item: Item) -> str:
        return str(item[self._by.partition]["S"])

    def _entry(self, key: tuple[str, str], item: Item) -> _Entry:
        return item[self._by.sort]["S"], key[0], key
