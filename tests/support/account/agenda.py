"""Orders all future events of a simulated world."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from math import inf

Action = Callable[[], object]


@dataclass
class Agenda:
    """Holds future events. Events at the same time keep the order in which they were added."""

    _entries: list[tuple[float, int, Action]] = field(default_factory=list)
    _numbers: "count[int]" = field(default_factory=count)

    def at(self, moment: float, action: Action) -> None:
        heapq.heappush(self._entries, (moment, next(self._numbers), action))

    def next_due(self) -> float:
        return self._entries[0][0] if self._entries else inf

    def take(self) -> Action:
        return heapq.heappop(self._entries)[2]
