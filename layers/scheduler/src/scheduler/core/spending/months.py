"""Calendar months in a time zone, in which spending limits count."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Month:
    """A calendar month in a time zone."""

    name: str  # 2026-11
    begins: datetime
    ends: datetime  # when the next one begins


def month_of(moment: datetime, zone: ZoneInfo) -> Month:
    local = moment.astimezone(zone)
    begins = datetime(local.year, local.month, 1, tzinfo=zone)
    ends = datetime(local.year + local.month // 12, local.month % 12 + 1, 1, tzinfo=zone)
    return Month(f"{local:%Y-%m}", begins, ends)


def shares(begins: datetime, ends: datetime, zone: ZoneInfo) -> Iterator[tuple[str, float]]:
    """Yields the months between two times, each with its share of the time."""
    start, end = begins.timestamp(), ends.timestamp()  # differences of local times ignore changes of the clock
    at = start
    while at < end:
        month = month_of(datetime.fromtimestamp(at, zone), zone)
        until = min(end, month.ends.timestamp())
        yield month.name, (until - at) / (end - start)
        at = until
