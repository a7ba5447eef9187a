"""Whoever watches the queue as a whole."""

from typing import Protocol

from scheduler.domain.gauges import Flow, Gauges
from scheduler.domain.head import Head


class HeadStore(Protocol):
    """What was told last of the head of the queue."""

    def last(self) -> Head | None:
        """None if nothing was told yet, or it cannot be read."""

    def keep(self, head: Head) -> None: ...


class Meter(Protocol):
    @property
    def is_on(self) -> bool:
        """Whether anything is measured."""

    def gauge(self, gauges: Gauges) -> None: ...

    def count(self, flow: Flow) -> None: ...
