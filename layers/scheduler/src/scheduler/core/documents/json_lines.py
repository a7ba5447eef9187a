"""Finds the line of a member in a JSON text."""

from collections import Counter
from functools import cached_property

from json_source_map import handle
from json_source_map.types import Location, TSourceMapEntries


class Lines:
    """The lines of the members of a JSON text."""

    def __init__(self, text: str) -> None:
        """The text must be valid JSON."""
        self._text = text

    def of(self, path: str) -> int | None:
        """Returns the line, from 1, of a path such as `rules[0].most`; of its parent if the member is missing."""
        pointer = "/" + path.replace("[", "/").replace("]", "").replace(".", "/") if path else ""
        while pointer and pointer not in self._by_pointer:
            pointer = pointer.rpartition("/")[0]
        return self._by_pointer.get(pointer)

    def of_duplicates(self) -> list[tuple[str, int]]:
        """Returns members given twice, which JSON itself allows, with the line of the last."""
        counts = Counter(pointer for pointer, _ in self._entries)
        return [(pointer[1:].replace("/", "."), self._by_pointer[pointer]) for pointer in counts if counts[pointer] > 1]

    @cached_property
    def _by_pointer(self) -> dict[str, int]:
        return {pointer: (entry.key_start or entry.value_start).line + 1 for pointer, entry in self._entries}

    @cached_property
    def _entries(self) -> TSourceMapEntries:
        try:
            return handle.value(source=self._text, current_location=Location(0, 0, 0))
        except RecursionError:  # nested far deeper than any document: reported without a line
            return []
