"""Defines the times that a user may set for a job. `core/calendar/times` has the rules about them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class DeadlineFor(StrEnum):
    """Lists the events that a deadline may be for."""

    END = "end"
    START = "start"


@dataclass(frozen=True, slots=True)
class JobTimes:
    not_before: datetime | None = None  # the job does not start earlier, and delays no other job until then
    expires: datetime | None = None  # the job ends then, unless an attempt has started
    deadline: datetime | None = None  # it changes no priority: the owner is only notified
    deadline_for: DeadlineFor = DeadlineFor.END


NO_TIMES = JobTimes()
