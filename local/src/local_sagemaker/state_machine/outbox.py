"""Events on their way to EventBridge. Most leave at once; mischief may hold one back, lose it or send it twice."""

import heapq
from collections.abc import Iterator
from itertools import count
from math import inf
from typing import Any

from local_sagemaker.state_machine.commands import StateChanged
from local_sagemaker.state_machine.fault_injection import Mischief


class Outbox:
    def __init__(self, mischief: Mischief) -> None:
        self._mischief = mischief
        self._late: list[tuple[float, int, dict[str, Any]]] = []
        self._numbers = count()

    def post(self, event: dict[str, Any], now: float) -> Iterator[StateChanged]:
        """What leaves at once."""
        for delay, delivery in self._mischief.of_event(event):
            if delay <= 0:
                yield StateChanged(delivery)
            else:
                heapq.heappush(self._late, (now + delay, next(self._numbers), delivery))

    def next_due(self) -> float:
        return self._late[0][0] if self._late else inf

    def take_due(self, now: float) -> Iterator[StateChanged]:
        while self.next_due() <= now:
            yield StateChanged(heapq.heappop(self._late)[2])
