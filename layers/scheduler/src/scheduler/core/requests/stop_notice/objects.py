"""Encodes the queue's stop request and decodes the program's acknowledgement, an attempt's two S3 objects."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from scheduler.core.jobs.stop_notice import Save

#: Bytes. The limit is needed because anybody with a training job's role can write an acknowledgement of any size.
LARGEST_ACKNOWLEDGEMENT = 4096
RUN = json.dumps({"state": "run"}).encode()
#: How far an instance's clock may be ahead of the queue's.
_CLOCK_SKEW = timedelta(minutes=5)
_FIRST_SAVE = datetime(2020, 1, 1, tzinfo=UTC)  # no queue existed before
_MOST_STEPS = 2**53


class MalformedAcknowledgement(Exception):
    """Signals an acknowledgement that the package in the container would not write. The queue treats it as missing."""


def stop_request(asked_at: datetime, notice_seconds: int) -> bytes:
    content = {"state": "stop", "notice_seconds": notice_seconds, "asked_at": asked_at.isoformat()}
    return json.dumps(content).encode()


def save_in(acknowledgement: bytes, attempt_name: str, now: datetime) -> Save:
    """Returns the save, or the start, that the program reports. Raises MalformedAcknowledgement."""
    try:
        content: dict[str, Any] = json.loads(acknowledgement)
        asked_at, is_uploaded = content["stop_asked_at"], content["uploaded"] is not False
        answers = _moment(asked_at) if asked_at is not None and is_uploaded else None
        save = Save(content["step"], _moment(content["saved_at"]), answers)
        is_meant = content["attempt"] == attempt_name and isinstance(content["uploaded"], bool | None)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise MalformedAcknowledgement(attempt_name) from error
    if not (is_meant and _is_possible(save) and _FIRST_SAVE <= save.saved_at <= now + _CLOCK_SKEW):
        raise MalformedAcknowledgement(attempt_name)
    return save


def _is_possible(save: Save) -> bool:
    if save.step is None:
        return save.answers is None  # a start answers no notice
    return type(save.step) is int and 0 <= save.step <= _MOST_STEPS


def _moment(text: str) -> datetime:
    """Returns the time in UTC. Raises ValueError if it has no zone, and OverflowError if UTC cannot represent it."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    return moment.astimezone(UTC)
