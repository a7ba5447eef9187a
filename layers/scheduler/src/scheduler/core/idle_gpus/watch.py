"""Defines a watch: for how long hosts must be unused before a rule applies, and when the watch begins."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The times that the rules for idle GPUs and for hangs share."""

    minutes: int = 15  # a rule applies if the hosts were unused for this long
    grace_minutes: int = 15  # minutes from the start of training in which hosts may be unused

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
