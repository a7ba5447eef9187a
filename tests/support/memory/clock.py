"""Provides a clock that stands still."""

from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass
class FixedClock:
    moment: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def sleep(self, seconds: float) -> None:
        raise AssertionError(f"waits for {seconds} s, which never pass")
