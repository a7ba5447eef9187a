"""Defines the retry policy: its defaults, and the settings that operators can change."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from scheduler.core.jobs.attempt import FailureClass
from scheduler.core.sections.durations import Duration, format_duration
from scheduler.core.sections.strict_structure import check_field
from scheduler.errors.refusals import bad_field

_WEEK = 7 * 86_400
_DAY = 86_400
_MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """Sets how failures of one class are retried. A retry is the job's next attempt."""

    retries: int = 0  # after failures in this class, over the job's lifetime
    delay: Duration = 60  # delay before the first retry; it doubles with each further retry …
    longest_delay: Duration = 1800  # … up to this
    after_training: Duration = 0  # a retry follows only an attempt that trained at least this long

    def __post_init__(self) -> None:
        check_field("retries", 0 <= self.retries <= _MOST, f"must be 0 to {_MOST}")
        check_field("longest_delay", self.longest_delay <= _DAY, "must be at most 1d")
        check_field("after_training", self.after_training <= _WEEK, "must be at most 1w")
        longest = format_duration(self.longest_delay)
        check_field("delay", self.delay <= self.longest_delay, f"must be at most longest_delay, {longest}")

    def delay_of(self, retry: int) -> int:
        """Returns the seconds before retry number `retry`, counted from 1."""
        return min(self.longest_delay, self.delay << min(retry - 1, 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class FailurePattern:
    failure: FailureClass
    pattern: re.Pattern[str]  # found anywhere in SageMaker's FailureReason, or at the end of the log


@dataclass(frozen=True, slots=True, kw_only=True)
class LeavingSpot:
    """Sets when a spot job continues on demand, which may cost up to ten times as much."""

    allowed: bool = True
    interruptions: int = 3  # after which the job leaves spot
    wait: Duration = _WEEK  # without instances, after which it leaves spot; waiting costs nothing

    def __post_init__(self) -> None:
        check_field("interruptions", 1 <= self.interruptions <= _MOST, f"must be 1 to {_MOST}")
        check_field("wait", self.wait <= _WEEK, "must be at most 1w")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Sets how failures of each class are retried, how many attempts a job may have, and when it leaves spot."""

    attempts_per_job: int = 500  # enough for ten days of retries; then only a preemption leads to another attempt
    requested_at_most: int = 10  # the most retries that a job may ask for
    patterns: tuple[FailurePattern, ...] = ()  # matched before the built-in ones
    treatments: Mapping[FailureClass, Treatment] = field(default_factory=dict)  # these replace the defaults
    leaving_spot: LeavingSpot = field(default_factory=LeavingSpot)

    def __post_init__(self) -> None:
        check_field("attempts_per_job", 1 <= self.attempts_per_job <= _MOST, f"must be 1 to {_MOST}")
        check_field("requested_at_most", 0 <= self.requested_at_most <= _MOST, f"must be 0 to {_MOST}")

    def refuse_more_retries(self, requested: int | None) -> None:
        """Raises BadRequest if a job asks for more retries than operators allow."""
        if requested is not None and requested > self.requested_at_most:
            remedy = f"Use at most {self.requested_at_most}, the limit of the section retries."
            raise bad_field("options.retries", f"is {requested}", remedy)

    def treatment_of(self, failure: FailureClass) -> Treatment:
        return self.treatments.get(failure) or DEFAULTS.get(failure, GIVE_UP)


GIVE_UP = Treatment(retries=0)
DEFAULTS = {
    FailureClass.CAPACITY: Treatment(retries=1000),  # waiting costs nothing
    FailureClass.INTERNAL: Treatment(retries=3),
    FailureClass.HARDWARE: Treatment(retries=3),
}
