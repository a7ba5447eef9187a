"""The policy of retries: the defaults, and the settings of the rules document under `recovery`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from scheduler.core.documents.strict_structure import check_field
from scheduler.core.jobs.attempt import FailureClass

_WEEK = 7 * 86_400
_DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """The treatment of one class of failures. A retry is the job's next attempt. Times are in seconds."""

    retries: int = 0  # after failures of this class, in the job's life
    delay: int = 60  # before the first retry; it doubles with each further one …
    longest_delay: int = 1800  # … up to this
    after_training: int = 0  # a retry only follows an attempt that trained at least this long

    def __post_init__(self) -> None:
        _refuse_outside("retries", self.retries, 1000)
        _refuse_outside("delay", self.delay, _DAY)
        _refuse_outside("longest_delay", self.longest_delay, _DAY)
        _refuse_outside("after_training", self.after_training, _WEEK)
        is_bounded = self.delay <= self.longest_delay
        check_field("delay", is_bounded, f"{self.delay} is more than longest_delay, {self.longest_delay}")

    def delay_of(self, retry: int) -> int:
        """Returns the seconds before retry number `retry`, from 1."""
        return min(self.longest_delay, self.delay << min(retry - 1, 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class FailurePattern:
    failure: FailureClass
    pattern: re.Pattern[str]  # found anywhere in SageMaker's FailureReason, or at the end of the log


@dataclass(frozen=True, slots=True, kw_only=True)
class LeavingSpot:
    """The conditions for a spot job to continue on demand. That costs more, so operators have to allow it."""

    allowed: bool = False
    interruptions: int = 3  # the job leaves spot after more than these
    wait: int = 3600  # seconds without instances, after which it leaves spot

    def __post_init__(self) -> None:
        _refuse_outside("interruptions", self.interruptions, 1000)
        _refuse_outside("wait", self.wait, _WEEK)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """The member `recovery` of the rules document."""

    patterns: tuple[FailurePattern, ...] = ()  # matched before the built-in ones
    treatments: Mapping[FailureClass, Treatment] = field(default_factory=dict)  # these replace the defaults
    leaving_spot: LeavingSpot = field(default_factory=LeavingSpot)

    def treatment_of(self, failure: FailureClass) -> Treatment:
        return self.treatments.get(failure) or DEFAULTS.get(failure, GIVE_UP)


def _refuse_outside(name: str, value: int, most: int) -> None:
    check_field(name, 0 <= value <= most, f"{value} is not from 0 to {most}")


GIVE_UP = Treatment(retries=0)
DEFAULTS = {
    FailureClass.CAPACITY: Treatment(retries=1000),  # waiting costs nothing
    FailureClass.INTERNAL: Treatment(retries=3),
    FailureClass.HARDWARE: Treatment(retries=3),
}
