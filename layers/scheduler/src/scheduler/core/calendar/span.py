"""Defines when a calendar window is open, in local time: every week or once."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SPAN = re.compile(rf"({'|'.join(_DAYS)}) (\d\d):(\d\d) - ({'|'.join(_DAYS)}) (\d\d):(\d\d)")
_DAY = 24 * 60
_WEEK = 7 * _DAY

Interval = tuple[datetime, datetime]  # in UTC; includes the first time but not the second


@dataclass(frozen=True, slots=True)
class WeeklySpan:
    """A weekly span, in minutes from the start of Monday. If `ends` is before `begins`, it ends the following week."""

    begins: int
    ends: int

    @classmethod
    def parse(cls, text: str) -> "WeeklySpan":
        """Parses text such as "fri 20:00 - mon 07:00". Raises ValueError with the problem."""
        match = SPAN.fullmatch(text)
        if match is None:
            raise ValueError('must be like "fri 20:00 - mon 07:00"')
        first, last = _minute_of_week(*match.groups()[:3]), _minute_of_week(*match.groups()[3:])
        if first == last:
            raise ValueError("begins and ends at the same time: change one of them")
        return cls(first, last)

    def intervals(self, zone: ZoneInfo, since: datetime, until: datetime) -> Iterator[Interval]:
        """Yields the open intervals that overlap this range."""
        day = since.astimezone(zone).date() - timedelta(days=14)
        monday = day - timedelta(days=day.weekday())
        while (begins := _time_in_week(monday, self.begins, zone)) < until:
            ends = _time_in_week(monday, self.ends + (_WEEK if self.ends <= self.begins else 0), zone)
            if begins < ends and ends > since:
                yield begins, ends
            monday += timedelta(days=7)

    def overlaps(self, other: "WeeklySpan", early: int, others_early: int) -> bool:
        """Returns whether the spans ever overlap if they begin `early` and `others_early` minutes earlier."""
        return self._contains(other.begins - others_early, early) or other._contains(self.begins - early, others_early)

    def _contains(self, minute: int, early: int) -> bool:
        return (minute - (self.begins - early)) % _WEEK < early + ((self.ends - self.begins) % _WEEK)


@dataclass(frozen=True, slots=True)
class OneTimeSpan:
    begins: datetime  # in the calendar's time zone, unless it names its own
    ends: datetime

    def interval(self, zone: ZoneInfo) -> Interval:
        return in_utc(self.begins, zone), in_utc(self.ends, zone)


def _minute_of_week(day: str, hour: str, minute: str) -> int:
    if int(hour) > 23 or int(minute) > 59:
        raise ValueError(f"has the time {hour}:{minute}; use 00:00 to 23:59")
    return _DAYS.index(day) * _DAY + int(hour) * 60 + int(minute)


def _time_in_week(monday: date, minute: int, zone: ZoneInfo) -> datetime:
    days, minutes = divmod(minute, _DAY)
    return in_utc(datetime.combine(monday + timedelta(days=days), time(minutes // 60, minutes % 60)), zone)


def in_utc(time: datetime, zone: tzinfo) -> datetime:
    """Returns the time in UTC. A time without an offset is in this zone."""
    # A time that a clock change skips counts as one hour later. If a time occurs twice, the first occurrence counts.
    return (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC)
