"""The rule for idle GPUs: when GPUs count as idle, and how the queue reacts."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class IdleAction(StrEnum):
    OFF = "off"
    WARN = "warn"
    STOP = "stop"
    WARN_THEN_STOP = "warn-then-stop"  # the owner is warned first; the job is stopped if it stays idle that long again


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleRule:
    """The limits below which GPUs count as idle, and the action to take. Percentages are of one GPU of an instance."""

    action: IdleAction = IdleAction.OFF
    percent: float = 1  # GPUs are idle if no GPU of any host was busier than this …
    minutes: int = 15  # … for this long
    grace_minutes: int = 15  # minutes from the start of training in which GPUs may be idle
    minimum_utilisation: float = 0  # owners are warned if the average percentage stays below this; 0 turns it off

    @property
    def window(self) -> timedelta:
        return timedelta(minutes=self.minutes)

    @property
    def grace(self) -> timedelta:
        return timedelta(minutes=self.grace_minutes)

    @property
    def period(self) -> int:
        """Returns the period in seconds: five minutes if they divide the window, otherwise one minute.

        SageMaker's metrics have a period of one minute.
        """
        return 300 if self.minutes % 5 == 0 else 60

    @property
    def periods(self) -> int:
        return self.minutes * 60 // self.period

    @property
    def stops(self) -> bool:
        return self.action in {IdleAction.STOP, IdleAction.WARN_THEN_STOP}
