"""Sends events about the queue to EventBridge."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from scheduler.errors.internal import EventsRefused
from scheduler.ports.notifications import EventKind

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

logger = logging.getLogger(__name__)

SOURCE = "sagequeue"
#: EventBridge's error codes, of a call or of one event, for what stays wrong until somebody corrects it.
FINAL = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "InvalidAccountIdException",
        "InvalidArgument",
        "MalformedDetail",
        "NotAuthorizedForDetailTypeException",
        "NotAuthorizedForSourceException",
        "OperationDisabledException",
        "RedactionFailure",
        "ResourceNotFoundException",
        "ValidationException",
    }
)
#: The most events in one PutEvents call, and the most bytes in their details. EventBridge refuses a call of 256 KB.
_MAX_ENTRIES, _MAX_BYTES = 10, 240 * 1024


@dataclass(frozen=True, slots=True)
class EventBridge:
    client: EventBridgeClient
    bus: str  # empty: no events are sent
    gives_up: bool = False  # logs and skips events that are refused with a final error

    def put(self, kind: EventKind, details: Sequence[Mapping[str, object]]) -> None:
        """Sends each event at least once. Raises EventsRefused or ClientError if EventBridge refuses some."""
        if not self.bus:
            return
        for texts in _batches(details):
            refused = self._refusals(kind, texts)
            lost = [code for code in refused if self.gives_up and code in FINAL]
            if lost:
                logger.error("lost events", extra={"kind": kind, "count": len(lost), "cause": lost[0]})
            if len(refused) > len(lost):
                raise EventsRefused(f"{len(refused) - len(lost)} of {len(texts)}")

    def _refusals(self, kind: EventKind, texts: Sequence[str]) -> Sequence[str]:
        """Sends the events of one call, and returns the error code of each event that EventBridge refuses."""
        entries: list[Any] = [
            {"EventBusName": self.bus, "Source": SOURCE, "DetailType": kind.value, "Detail": text} for text in texts
        ]
        try:
            results = self.client.put_events(Entries=entries)["Entries"]
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if self.gives_up and code in FINAL:
                return [code] * len(texts)
            raise
        return [result["ErrorCode"] for result in results if "ErrorCode" in result]


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
