"""The store of the queue's history."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from scheduler.core.history.change import Change


@dataclass(frozen=True, slots=True)
class ChangePage:
    changes: tuple[Change, ...]
    next_token: str | None = None


class ChangeStore(Protocol):
    """Stores the history of all jobs. A change is never rewritten, and expires after the retention time."""

    def append(self, change: Change, expires_at: datetime) -> bool:
        """Adds the change. Returns False if the store already has it: the stream delivers records more than once."""

    def page(self, since: datetime, until: datetime, limit: int, token: str | None) -> ChangePage:
        """Returns the changes recorded from `since` up to `until`, oldest first. Raises UnknownToken."""
