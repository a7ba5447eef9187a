"""The channels on which the queue reports: notices for people, and events for programs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from scheduler.core.history.notices import Notice


class EventKind(StrEnum):
    """The kinds of events. The values are EventBridge's detail types."""

    JOB_CHANGE = "SageQueue Job Change"
    BLOCKED_HEAD = "SageQueue Blocked Head"
    SPENDING_LIMIT = "SageQueue Spending Limit"
    JOB_END = "SageQueue Job End"  # for callbacks


class EventBus(Protocol):
    """Receives events about changes to the queue."""

    def put(self, kind: EventKind, details: Sequence[Mapping[str, object]]) -> None:
        """Sends one event of this kind for each item in the details. Raises EventsRefused."""


class Notifier(Protocol):
    def notify(self, notice: Notice) -> None:
        """Sends the notice. Never raises: if sending fails, logs the notice and delays no other work."""


class MailSubscriptions(Protocol):
    def ensure(self, addresses: Collection[str]) -> None:
        """Subscribes the addresses that are not subscribed yet; their owners then confirm through a link in an email.

        Tries all addresses, then raises NoticesRefused if a repeat may succeed.
        """


class NoticeSender(Protocol):
    def send(self, notices: Iterable[Notice]) -> None:
        """Sends each notice at least once. Tries all notices, then raises NoticesRefused if a repeat may succeed."""
