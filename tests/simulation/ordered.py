"""The records of an index, or of the table itself, in their order."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator

from simulation.environment import Index
from simulation.expressions import Item

_Entry = tuple[str, str, tuple[str, str]]  # the sort key; the record's keys decide between equals


class Ordered:
    def __init__(self, by: Index) -> None:
        self._by = by
        self._items: dict[tuple[str, str], Item] = {}
        self._entries: defaultdict[str, list[_Entry]] = defaultdict(list)  # by partition

    def put(self, key: tuple[str, str], item: Item | None) -> None:
        """Without an item, or the keys of the index in it, there is no such record."""
        if old := self._items.pop(key, None):
            entries = self._entries[self._partition(old)]
            del entries[bisect_left(entries, self._entry(key, old))]
        if item is not None and self._by.partition in item and self._by.sort in item:
            self._items[key] = item
            insort(self._entries[self._partition(item)], self._entry(key, item))

    def partition(self, name: str, *, backwards: bool) -> Iterator[Item]:
        entries = self._entries[name]
        return (self._items[key] for _, _, key in (reversed(entries) if backwards else entries))

    def _partition(self, item: Item) -> str:
        return str(item[self._by.partition]["S"])

    def _entry(self, key: tuple[str, str], item: Item) -> _Entry:
        return item[self._by.sort]["S"], key[0], key
