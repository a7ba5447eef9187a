"""The rule for idle GPUs: when GPUs count as idle, and what the queue does then."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class IdleAction(StrEnum):
    OFF = "off"
    WARN = "warn"
    STOP = "stop"
    WARN_THEN_STOP = "warn-then-stop"  # the owner is warned first; the job is stopped if it stays idle as long again


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleRule:
    """The limits below which GPUs count as idle, and the action then. Percentages are of one GPU of an instance."""

    action: IdleAction = IdleAction.OFF
    percent: float = 1  # GPUs are idle if none of any host was ever busier than this …
    minutes: int = 15  # … for this long
    grace_minutes: int = 15  # from the start of training, in which GPUs may be idle
    minimum_utilisation: float = 0  # owners are warned if the average stays below; 0 turns it off

    @property
    def window(self) -> timedelta:
        return timedelta(minutes=self.minutes)

    @property
    def grace(self) -> timedelta:
        return timedelta(minutes=self.grace_minutes)

    @property
    def period(self) -> int:
        """Returns seconds: five minutes if they divide the window, otherwise the one minute of SageMaker's metrics."""
        return 300 if self.minutes % 5 == 0 else 60

    @property
    def periods(self) -> int:
        return self.minutes * 60 // self.period

    @property
    def stops(self) -> bool:
        return self.action in {IdleAction.STOP, IdleAction.WARN_THEN_STOP}
