"""On which line of a JSON text a member is."""

from collections import Counter
from functools import cached_property

from json_source_map import handle
from json_source_map.types import Location, TSourceMapEntries


class Lines:
    def __init__(self, text: str) -> None:
        """The text must be valid JSON."""
        self._text = text

    def of(self, path: str) -> int | None:
        """The line, from 1, of `rules[0].most`; of what is around it if the member itself is not there."""
        pointer = "/" + path.replace("[", "/").replace("]", "").replace(".", "/") if path else ""
        while pointer and pointer not in self._by_pointer:
            pointer = pointer.rpartition("/")[0]
        return self._by_pointer.get(pointer)

    def of_duplicates(self) -> list[tuple[str, int]]:
        """Members that are given twice, which JSON itself allows, and where the last one is."""
        counts = Counter(pointer for pointer, _ in self._entries)
        return [(pointer[1:].replace("/", "."), self._by_pointer[pointer]) for pointer in counts if counts[pointer] > 1]

    @cached_property
    def _by_pointer(self) -> dict[str, int]:
        return {pointer: (entry.key_start or entry.value_start).line + 1 for pointer, entry in self._entries}

    @cached_property
    def _entries(self) -> TSourceMapEntries:
        try:
            return handle.value(source=self._text, current_location=Location(0, 0, 0))
        except RecursionError:  # nested far deeper than any rule: told without a line
            return []
