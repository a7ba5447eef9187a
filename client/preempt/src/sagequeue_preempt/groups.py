"""Lets the processes of one training job agree on saves and stops. A single process agrees with itself."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol


class Group(Protocol):
    """The processes that agree. All of them call the same methods in the same order, between two steps."""

    @property
    def rank(self) -> int: ...

    def largest(self, *numbers: int) -> tuple[int, ...]:
        """Returns, for each position, the largest number that any process passed."""
        ...


class Alone:
    @property
    def rank(self) -> int:
        return 0

    def largest(self, *numbers: int) -> tuple[int, ...]:
        return numbers


def barrier(group: Group) -> None:
    """Waits for all processes."""
    group.largest(0)


def any_of(group: Group, *flags: bool) -> tuple[bool, ...]:
    return tuple(number > 0 for number in group.largest(*(int(flag) for flag in flags)))


def newest_of_all(group: Group, found: Collection[int]) -> int:
    """Returns the largest number that all processes have found, or 0."""
    newest = max(found, default=0)
    while True:
        least = -group.largest(-newest)[0]
        (differ,) = any_of(group, newest != least)
        if not differ:
            return least
        newest = max((number for number in found if number <= least), default=0)
