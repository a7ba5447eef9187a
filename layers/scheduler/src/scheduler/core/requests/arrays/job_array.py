"""Defines the record of an array, and decides how many of its children may be created now.

The record has one letter for each child. A letter is derived from the current state of the child's job, so a check may
be repeated, skipped or interrupted anywhere: the next check writes the right letters.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import HELD_OR_PARKED, LIVE, JobState
from scheduler.core.jobs.reason import bounded

#: The most children that wait at once. SageMaker starts one training job per second, and each pass of a cycle replaces
#: the children that it started. Another user's job never waits for more children than these.
WINDOW = 25


class ChildState(StrEnum):
    """Lists the states of a child, by the letter in the array's record."""

    NOT_CREATED = "."
    WAITING = "w"
    HELD_OR_PARKED = "h"
    LIVE = "r"
    COMPLETED = "c"
    FAILED = "f"
    STOPPED = "s"


class ArrayState(StrEnum):
    ACTIVE = "active"
    HELD = "held"  # creates no more children until it is released
    ENDING = "ending"  # cancelled, or too many failures: creates no more children
    ENDED = "ended"  # all its children have ended


class ArrayEnd(StrEnum):
    """Lists the reasons why an array creates no more children."""

    CANCELLED = "cancelled"  # a user ended it, and its children with it
    TOO_MANY_FAILURES = "too_many_failures"  # its children that have not run yet end, too
    EXPIRED = "expired"  # the time of its option `expires` has come


#: The ends after which the queue also cancels children. Children of an expired array expire by themselves.
CANCELS_CHILDREN = frozenset({ArrayEnd.CANCELLED, ArrayEnd.TOO_MANY_FAILURES})
#: Stands for the queue itself, which holds an array that it cannot read, and ends one after too many failures.
BY_QUEUE = "the queue"
WHY_ENDED = {
    ArrayEnd.CANCELLED: "was cancelled",
    ArrayEnd.TOO_MANY_FAILURES: "had too many failures",
    ArrayEnd.EXPIRED: "has expired",
}
_OPEN = frozenset({ChildState.WAITING, ChildState.HELD_OR_PARKED, ChildState.LIVE})


@dataclass(frozen=True, slots=True)
class Wish:
    """Records a request that concerns all created children, until a check has applied it to each.

    An approval is in the pattern instead, since it also concerns the children to come.
    """

    by: str
    releases: bool = False  # the children on hold
    priority: int | None = None


@dataclass(frozen=True, slots=True)
class JobArray:
    """Holds an array: the first child as a pattern for all, and the state of each child."""

    name: str
    first: Job  # in it, texts that differ among the children still have placeholders
    children: str  # the letters of all children, in their order
    at_most: int = 0  # children that run at once; 0: no limit
    most_failures: int | None = None  # after more failures, no further child starts
    held_by: str = ""
    wish: Wish | None = None
    end: ArrayEnd | None = None
    ended_by: str = ""  # the user who cancelled it
    problem: str = ""  # why the queue last could not create a child, which counts as failed
    updated_at: datetime | None = None
    version: int = 0  # increases with each write; every write is conditional on it

    @property
    def size(self) -> int:
        return len(self.children)

    @property
    def state(self) -> ArrayState:
        if self.is_finished:
            return ArrayState.ENDED
        if self.end:
            return ArrayState.ENDING
        return ArrayState.HELD if self.held_by else ArrayState.ACTIVE

    @property
    def is_finished(self) -> bool:
        """Returns whether all children have ended and no more will be created."""
        awaited = _OPEN if self.end else _OPEN | {ChildState.NOT_CREATED}
        return not any(letter in self.children for letter in awaited)

    @property
    def stops_waiting_children(self) -> bool:
        """Returns whether the queue holds or cancels all waiting children, even those that have run."""
        return self.end is ArrayEnd.CANCELLED or self.held_by != ""

    @property
    def has_succeeded(self) -> bool:
        """Returns whether each child of the ended array has completed, apart from failures that its user accepts."""
        completed, failed = self.count(ChildState.COMPLETED), self.count(ChildState.FAILED)
        return self.end is None and failed <= (self.most_failures or 0) and completed + failed == self.size

    @property
    def model_artifacts(self) -> str:
        """Returns an empty text: each child has its own model."""
        return ""

    @property
    def outcome(self) -> str:
        """Returns how the array ended, worded as the end of a sentence."""
        cause = WHY_ENDED[self.end] if self.end else "has ended"
        return f"{cause}, and {self.count(ChildState.COMPLETED)} of its {self.size} jobs completed"

    def count(self, *states: ChildState) -> int:
        return sum(self.children.count(state) for state in states)

    @property
    def next_index(self) -> int | None:
        """Returns the first child that was not created; None if the array creates no more children."""
        index = self.children.find(ChildState.NOT_CREATED)
        return None if index < 0 or self.end or self.held_by else index

    @property
    def room(self) -> int:
        """Returns how many children may be created now."""
        if self.next_index is None:
            return 0
        waiting, live = self.count(ChildState.WAITING), self.count(ChildState.LIVE)
        room = WINDOW - waiting - self.count(ChildState.HELD_OR_PARKED)
        if self.at_most:
            room = min(room, self.at_most - waiting - live)
        return max(0, min(room, self.count(ChildState.NOT_CREATED)))

    @property
    def will_wait(self) -> int:
        """Returns how many children may still join the waiting children, even after the array is released."""
        if self.end:
            return 0
        waiting = self.count(ChildState.WAITING, ChildState.HELD_OR_PARKED)
        most = min(WINDOW, self.at_most or WINDOW)
        return max(0, min(most - waiting, self.count(ChildState.NOT_CREATED)))

    @property
    def is_due(self) -> bool:
        """Returns whether the next pass has work: creating children, or acting on them."""
        stops = self.stops_waiting_children and ChildState.WAITING in self.children
        acts = stops or (self.wish and not self.is_finished)
        return self.room > 0 or bool(acts)

    def open_children(self) -> Iterator[int]:
        """Yields the indexes of the created children that had not ended when the record was written."""
        return (index for index, letter in enumerate(self.children) if letter in _OPEN)

    def name_of(self, index: int) -> str:
        return child_name(self.name, index)

    def index_of(self, child: str) -> int | None:
        """Returns the index of the child with this name, or None if no child has it."""
        number = child.rpartition("-")[2]
        index = int(number) if number.isdecimal() else self.size
        return index if index < self.size and self.name_of(index) == child else None

    def with_states(self, states: Mapping[int, ChildState], now: datetime) -> "JobArray":
        """Returns the array with these child states; the same object if they are already known."""
        letters = list(self.children)
        for index, state in states.items():
            letters[index] = state.value
        children = "".join(letters)
        return self if children == self.children else replace(self, children=children, updated_at=now)

    def ended_if_failing(self) -> "JobArray":
        """Returns the array, which creates no more children if too many have failed."""
        failed = self.count(ChildState.FAILED)
        if self.end or self.most_failures is None or failed <= self.most_failures:
            return self
        return replace(self, end=ArrayEnd.TOO_MANY_FAILURES, wish=self.wish or Wish(BY_QUEUE))

    def ended_if_expired(self, now: datetime) -> "JobArray":
        """Returns the array, which creates no more children if it has expired."""
        expires = self.first.options.times.expires
        if self.end or expires is None or now < expires:
            return self
        return replace(self, end=ArrayEnd.EXPIRED)

    def with_problem(self, problem: str) -> "JobArray":
        return replace(self, problem=bounded(problem))


def child_name(array: str, index: int) -> str:
    return f"{array}-{index}"


def state_of_child(job: Job) -> ChildState:
    match job.status.state:
        case JobState.COMPLETED:
            return ChildState.COMPLETED
        case JobState.FAILED:
            return ChildState.FAILED
        case JobState.STOPPED:
            return ChildState.STOPPED
    if job.status.state in LIVE:
        return ChildState.LIVE
    return ChildState.HELD_OR_PARKED if job.status.state in HELD_OR_PARKED else ChildState.WAITING


def why_not_created(array: JobArray, index: int) -> str:
    """Returns why a child's job does not exist yet."""
    ahead = array.children[:index].count(ChildState.NOT_CREATED)
    if array.end:
        return f"its array {array.name} {WHY_ENDED[array.end]}, so it will not be created"
    if array.held_by:
        return f"its array {array.name} is held by {array.held_by}"
    limit = f"at most {array.at_most} run at once" if array.at_most else f"at most {WINDOW} wait at once"
    return f"it is created when it can start: {ahead} jobs of {array.name} are created before it, and {limit}"
