"""Calendar months in a time zone."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from attrs import frozen


@frozen
class Month:
    name: str  # 2026-11
    begins: datetime
    ends: datetime  # when the next one begins


def month_of(moment: datetime, zone: ZoneInfo) -> Month:
    local = moment.astimezone(zone)
    begins = datetime(local.year, local.month, 1, tzinfo=zone)
    ends = datetime(local.year + local.month // 12, local.month % 12 + 1, 1, tzinfo=zone)
    return Month(f"{local:%Y-%m}", begins, ends)


def shares(begins: datetime, ends: datetime, zone: ZoneInfo) -> Iterator[tuple[str, float]]:
    """Which part of a time is in which month."""
    start, end = begins.timestamp(), ends.timestamp()  # differences of local times know no change of the clock
    at = start
    while at < end:
        month = month_of(datetime.fromtimestamp(at, zone), zone)
        until = min(end, month.ends.timestamp())
        yield month.name, (until - at) / (end - start)
        at = until
