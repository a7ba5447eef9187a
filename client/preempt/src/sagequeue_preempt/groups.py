"""Agreement of the processes of one training job. A process without others agrees with itself."""

from __future__ import annotations

from typing import Protocol


class Group(Protocol):
    """All processes call the same methods in the same order, at the boundary of a step."""

    @property
    def rank(self) -> int: ...

    def largest(self, *numbers: int) -> tuple[int, ...]:
        """Returns, at each place, the largest number that a process gave."""
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
