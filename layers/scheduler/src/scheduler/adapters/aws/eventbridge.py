"""Sends events about the queue to EventBridge."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler.errors.internal import EventsRefused
from scheduler.ports.notifications import EventKind

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

SOURCE = "sagequeue"
#: The most events in one PutEvents call.
_MAX_ENTRIES = 10


@dataclass(frozen=True, slots=True)
class EventBridge:
    client: EventBridgeClient
    bus: str  # empty: no events are sent

    def put(self, kind: EventKind, details: Sequence[Mapping[str, object]]) -> None:
        """Sends each event at least once. Raises EventsRefused if EventBridge refuses some."""
        if not self.bus:
            return
        for start in range(0, len(details), _MAX_ENTRIES):
            entries = [
                {"EventBusName": self.bus, "Source": SOURCE, "DetailType": kind.value, "Detail": json.dumps(detail)}
                for detail in details[start : start + _MAX_ENTRIES]
            ]
            refused = self.client.put_events(Entries=entries)["FailedEntryCount"]  # type: ignore[arg-type] # such a dict is a valid entry
            if refused:
                raise EventsRefused(f"{refused} of {len(entries)}")
