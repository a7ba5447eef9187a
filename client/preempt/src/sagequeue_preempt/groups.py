"""Lets the processes of one training job agree on saves and stops. A single process agrees with itself."""

from __future__ import annotations

from typing import Callable, Protocol


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


def agree_on_newest(group: Group, newest: Callable[[int | None], int]) -> int:
    """Returns the largest number that all processes have, or 0.

    `newest` returns the process's own largest number up to a limit, or 0. Its last call had the result.
    """
    number = newest(None)
    while True:
        largest, negated = group.largest(number, -number)
        if largest == -negated:
            return number
        number = newest(-negated)
