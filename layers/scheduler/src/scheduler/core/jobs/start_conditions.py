"""Defines the conditions for a start besides the queue's own: times, other jobs, and the job's array.

The rules about them are in `core/calendar/times`, `core/jobs/dependencies` and `core/requests/arrays`.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class DeadlineFor(StrEnum):
    """Lists the events to which a deadline may apply."""

    END = "end"
    START = "start"


@dataclass(frozen=True, slots=True)
class JobTimes:
    not_before: datetime | None = None  # the job does not start earlier, and delays no other job until then
    expires: datetime | None = None  # the job ends then, unless an attempt has started
    deadline: datetime | None = None  # it changes no priority: the owner is only notified
    deadline_for: DeadlineFor = DeadlineFor.END


NO_TIMES = JobTimes()


class IfNeverSatisfied(StrEnum):
    """Lists the choices for a job whose dependencies can no longer be satisfied."""

    PARK = "park"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class JobDependencies:
    after_ok: tuple[str, ...] = ()  # the job starts after these jobs have completed
    after_any: tuple[str, ...] = ()  # … after these jobs have ended, whatever their result
    after_not_ok: tuple[str, ...] = ()  # … after these jobs have failed or been stopped
    if_never_satisfied: IfNeverSatisfied = IfNeverSatisfied.PARK
    arrays: tuple[str, ...] = ()  # those of these names that stand for arrays, as found at the submission
    models: tuple[str, ...] = ()  # those of `after_ok` whose model the request uses, as found at the submission

    @property
    def predecessors(self) -> tuple[str, ...]:
        """Returns the names of all jobs that the job waits for."""
        return (*self.after_ok, *self.after_any, *self.after_not_ok)

    def key_of(self, name: str) -> str:
        """Returns the key of this predecessor: a job and an array may have the same name."""
        return array_key(name) if name in self.arrays else name


def array_key(name: str) -> str:
    return f"array {name}"  # no job has such a name


NO_DEPENDENCIES = JobDependencies()


@dataclass(frozen=True, slots=True)
class ArrayPlace:
    """Locates a job in its array. The job's request is the array's request, with the values of the job's parameters."""

    array: str
    index: int
    at_most: int = 0  # children of the array that run at once; 0: no limit
