"""The history of the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from datetime import datetime

    from scheduler.core.history.change import Change


@frozen
class ChangePage:
    changes: tuple[Change, ...]
    next_token: str | None = None


class ChangeStore(Protocol):
    """The history of all jobs. What is in it is never changed, until it expires."""

    def append(self, change: Change, expires_at: datetime) -> bool:
        """Tells whether it was not there yet: the stream hands records over more than once."""

    def page(self, since: datetime, until: datetime, limit: int, token: str | None) -> ChangePage:
        """Those recorded from `since` up to `until`, the oldest first. Raises UnknownToken."""
