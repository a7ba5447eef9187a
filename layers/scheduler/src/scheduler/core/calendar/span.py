"""When a window of the calendar is open, in local time: week after week, or once.

A local time that a change of clocks leaves out counts as the time an hour later, one that comes twice as the first.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from attrs import frozen

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SPAN = re.compile(rf"({'|'.join(_DAYS)}) (\d\d):(\d\d) - ({'|'.join(_DAYS)}) (\d\d):(\d\d)")
_DAY = 24 * 60
_WEEK = 7 * _DAY

Interval = tuple[datetime, datetime]  # in UTC; open from the first to just before the second


@frozen
class WeeklySpan:
    """Minutes since Monday began; where the end is not behind the beginning, it is in the week after."""

    begins: int
    ends: int

    @classmethod
    def parse(cls, text: str) -> "WeeklySpan":
        """Read "fri 20:00 - mon 07:00". Raises ValueError with what is wrong."""
        match = _SPAN.fullmatch(text)
        if match is None:
            raise ValueError('must be like "fri 20:00 - mon 07:00"')
        first, last = _minute(*match.groups()[:3]), _minute(*match.groups()[3:])
        if first == last:
            raise ValueError("ends when it begins")
        return cls(first, last)

    def intervals(self, zone: ZoneInfo, since: datetime, until: datetime) -> Iterator[Interval]:
        """Those that touch this time."""
        day = since.astimezone(zone).date() - timedelta(days=14)
        monday = day - timedelta(days=day.weekday())
        while (begins := _at(monday, self.begins, zone)) < until:
            ends = _at(monday, self.ends + (_WEEK if self.ends <= self.begins else 0), zone)
            if begins < ends and ends > since:
                yield begins, ends
            monday += timedelta(days=7)

    def overlaps(self, other: "WeeklySpan", early: int, others_early: int) -> bool:
        """In any week, where they begin so many minutes early."""
        return self._has(other.begins - others_early, early) or other._has(self.begins - early, others_early)

    def _has(self, minute: int, early: int) -> bool:
        begins = self.begins - early
        return (minute - begins) % _WEEK < early + ((self.ends - self.begins) % _WEEK)


@frozen
class Once:
    begins: datetime  # local, where it has no time zone of its own
    ends: datetime

    def interval(self, zone: ZoneInfo) -> Interval:
        return _in_utc(self.begins, zone), _in_utc(self.ends, zone)


def _minute(day: str, hour: str, minute: str) -> int:
    if int(hour) > 23 or int(minute) > 59:
        raise ValueError(f"has a time that no day has: {hour}:{minute}")
    return _DAYS.index(day) * _DAY + int(hour) * 60 + int(minute)


def _at(monday: date, minute: int, zone: ZoneInfo) -> datetime:
    days, minutes = divmod(minute, _DAY)
    return _in_utc(datetime.combine(monday + timedelta(days=days), time(minutes // 60, minutes % 60)), zone)


def _in_utc(moment: datetime, zone: ZoneInfo) -> datetime:
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
