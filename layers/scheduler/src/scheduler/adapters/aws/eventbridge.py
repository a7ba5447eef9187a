"""Sends events about the queue to EventBridge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler.errors.internal import EventsRefused
from scheduler.ports.notifications import EventKind

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

SOURCE = "sagequeue"
#: The most events in one PutEvents call, and the most bytes in their details. EventBridge refuses a call of 256 KB.
_MAX_ENTRIES, _MAX_BYTES = 10, 240 * 1024


@dataclass(frozen=True, slots=True)
class EventBridge:
    client: EventBridgeClient
    bus: str  # empty: no events are sent

    def put(self, kind: EventKind, details: Sequence[Mapping[str, object]]) -> None:
        """Sends each event at least once. Raises EventsRefused if EventBridge refuses some."""
        if not self.bus:
            return
        for texts in _batches(details):
            entries = [
                {"EventBusName": self.bus, "Source": SOURCE, "DetailType": kind.value, "Detail": text} for text in texts
            ]
            refused = self.client.put_events(Entries=entries)["FailedEntryCount"]  # type: ignore[arg-type] # such a dict is a valid entry
            if refused:
                raise EventsRefused(f"{refused} of {len(entries)}")


def _batches(details: Sequence[Mapping[str, object]]) -> Iterator[Sequence[str]]:
    """Yields the details for each call. A job's tags alone may take up most of a call's bytes."""
    batch = list[str]()
    for text in map(json.dumps, details):  # in ASCII
        if batch and (len(batch) == _MAX_ENTRIES or sum(map(len, batch)) + len(text) > _MAX_BYTES):
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch
