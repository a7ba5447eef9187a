"""Simulates the queue's table: records, lagging indexes, transaction tokens, and a stream."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from support.dynamodb.expressions import Item
from support.dynamodb.sorted_records import SortedRecords, Span
from support.stack.environment import PRIMARY, Index, indexes

Key = tuple[str, str]
#: Replaces the value of a corrupted attribute.
CORRUPTED = {"S": "corrupted"}


def _is_prompt(key: Key) -> bool:
    """Returns whether a replica shows changes to this record at once. Half of all keys are never late."""
    return crc32("/".join(key).encode()) % 2 == 0


@dataclass
class Table:
    """Holds the records.

    An index shows a change `lag()` seconds late, and an inconsistent read `staleness` seconds late.
    """

    now: Callable[[], float] = lambda: 0.0
    lag: Callable[[], float] = lambda: 0.0
    staleness: float = 0.0
    items: dict[Key, Item] = field(default_factory=dict)
    writes: int = 0  # the number of writes so far
    changed: dict[Key, Item | None] = field(default_factory=dict)  # each record before its change, since `take_changed`
    corrupted: dict[Key, tuple[str, Any]] = field(default_factory=dict)  # corrupted attributes, and their values before
    on_change: Callable[[Item | None], None] = lambda _image: None  # the stream
    _primary: SortedRecords = field(default_factory=lambda: SortedRecords(PRIMARY))
    _indexes: dict[Index, SortedRecords] = field(
        default_factory=lambda: {by: SortedRecords(by) for by in indexes().values()}
    )
    _to_index: list[tuple[float, Key]] = field(default_factory=list)
    _stale: SortedRecords = field(
        default_factory=lambda: SortedRecords(PRIMARY)
    )  # half of the keys, as they were a moment ago …
    _to_show: deque[tuple[float, Key, Item | None]] = field(default_factory=deque)  # … and their changes since
    _done: dict[str, float] = field(default_factory=dict)  # tokens of transactions

    def write(self, key: Key, item: Item | None) -> None:
        self.writes += 1
        self.changed.setdefault(key, self.items.get(key))
        if item is None:
            self.items.pop(key, None)
        else:
            self.items[key] = item
        self._primary.put(key, item)
        self._to_index.append((self.now() + self.lag(), key))
        if _is_prompt(key):
            self._stale.put(key, item)
        else:
            self._to_show.append((self.now() + self.staleness, key, item))
        self.on_change(item)

    def take_changed(self) -> dict[Key, Item | None]:
        changed, self.changed = self.changed, {}
        return changed

    def get(self, key: Key, *, consistent: bool) -> Item | None:
        return self.items.get(key) if consistent else self._a_moment_ago().get(key)

    def in_order(self, by: Index, span: Span, *, backwards: bool, consistent: bool) -> Iterator[Item]:
        """Yields the records in one partition of the table or of an index."""
        if by == PRIMARY:
            records = self._primary if consistent else self._a_moment_ago()
            return records.within(span, backwards=backwards)
        now = self.now()
        for due, key in self._to_index:
            if due <= now:
                self._index(key)
        self._to_index = [(due, key) for due, key in self._to_index if due > now]
        return self._indexes[by].within(span, backwards=backwards)

    def is_done(self, token: str | None) -> bool:
        """Returns whether this transaction was carried out within the last ten minutes (aws-facts 4.21)."""
        return token in self._done and self.now() < self._done[token] + 600

    def note_done(self, token: str | None) -> None:
        if token is not None:
            self._done[token] = self.now()

    def corrupt(self, key: Key, attribute: str) -> None:
        self.corrupted[key] = attribute, self.items[key][attribute]
        self.write(key, {**self.items[key], attribute: CORRUPTED})

    def repair(self, key: Key) -> None:
        """Repairs the record, unless it has been repaired already."""
        if self.is_corrupted(key):
            attribute, value = self.corrupted[key]
            self.write(key, {**self.items[key], attribute: value})
        self.corrupted.pop(key, None)

    def is_corrupted(self, key: Key) -> bool:
        attribute, _ = self.corrupted.get(key, ("", None))
        return self.items.get(key, {}).get(attribute) == CORRUPTED

    def restore(self, items: Mapping[Key, Item]) -> None:
        """Restores the records in a backup, and forgets all transaction tokens."""
        self._done.clear()
        for key in [*self.items]:
            if key not in items:
                self.write(key, None)
        for key, item in items.items():
            self.write(key, item)

    def catch_up(self) -> None:
        """Makes all replicas and indexes show every change."""
        self._to_show = deque((0.0, key, item) for _, key, item in self._to_show)

    def _a_moment_ago(self) -> SortedRecords:
        while self._to_show and self._to_show[0][0] <= self.now():
            _, key, item = self._to_show.popleft()
            self._stale.put(key, item)
        return self._stale

    def _index(self, key: Key) -> None:
        for index in self._indexes.values():
            index.put(key, self.items.get(key))
