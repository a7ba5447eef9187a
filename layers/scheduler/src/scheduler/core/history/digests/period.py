"""Finds the 24 hours that a digest covers."""

from dataclasses import dataclass
from datetime import datetime, timedelta

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DigestPeriod:
    ends: datetime

    @property
    def begins(self) -> datetime:
        return self.ends - _DAY

    @property
    def name(self) -> str:
        """Returns the day on which the period ends, as in `2026-11-28`."""
        return f"{self.ends:%Y-%m-%d}"


def last_period(now: datetime, hour: int) -> DigestPeriod:
    """Returns the period that ended last: at this hour of a day, in UTC."""
    ends = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    return DigestPeriod(ends if ends <= now else ends - _DAY)
