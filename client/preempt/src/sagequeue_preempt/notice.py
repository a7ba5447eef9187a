"""Reads the queue's stop notice: an S3 object that a thread polls every few seconds.

The thread only sets a value; the training loop reads it between two steps. If the object cannot be read, the log
reports this once, and the job continues as if it did not use the library.
"""

from __future__ import annotations

import json
import random
import threading
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from sagequeue_preempt.launch import Place
from sagequeue_preempt.log import Log

_MOST_BYTES = 4096
_REMEDIES = {
    403: "the job's role and the bucket's policy must allow s3:GetObject",
    404: "this version of the queue gives no notice, or the object was removed",
}
_JITTER = 0.2


@dataclass(frozen=True)
class StopRequest:
    """The queue's request to stop."""

    asked_at: str  # the time of the request, in the queue's own text
    seconds: float  # from then until the queue stops the attempt, saved or not


class StopNotice:
    """Polls the stop notice. `request` is the queue's request to stop, or None."""

    def __init__(self, s3: Any, place: Place, poll_seconds: float, log: Log) -> None:
        self._s3 = s3
        self._place = place
        self._poll_seconds = poll_seconds
        self._log = log
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._poll, name="sagequeue_preempt", daemon=True)
        self.request: StopRequest | None = None

    @property
    def asked_at(self) -> str | None:
        request = self.request  # read once: the thread may replace it
        return None if request is None else request.asked_at

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._thread.join()

    def read(self) -> None:
        """Reads the object once. If the object cannot be read, the last known request stays valid."""
        try:
            answer = self._s3.get_object(Bucket=self._place.bucket, Key=self._place.key)
            self.request = _parse(answer["Body"].read(_MOST_BYTES))
        except ClientError as error:
            status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
            self._report(f"{status} {error.response.get('Error', {}).get('Code', '')}", _REMEDIES.get(status))
        except (BotoCoreError, ResponseParserError, OSError) as error:
            self._report(type(error).__name__, "the job needs a network and credentials")
        except (ValueError, TypeError, KeyError, AttributeError):
            self._report("unknown content", "the library may be older than the queue")

    def _poll(self) -> None:
        """Polls until closed. The first read is immediate, so that the log shows a missing permission early."""
        while True:
            self.read()
            # Jobs that start together must not keep reading S3 at the same moments.
            if self._closed.wait(self._poll_seconds * random.uniform(1 - _JITTER, 1 + _JITTER)):  # noqa: S311  # no secret
                return

    def _report(self, problem: str, remedy: str | None) -> None:
        hint = f" ({remedy})" if remedy else ""
        self._log.once(f"cannot read {self._place}: {problem}{hint}; the job will be stopped without a final save")


def _parse(body: bytes) -> StopRequest | None:
    """Returns the request, or None for `{"state": "run"}`. Raises an error for other content."""
    content = json.loads(body)
    if content["state"] == "run":
        return None
    if content["state"] != "stop":
        raise ValueError
    return StopRequest(str(content["asked_at"]), float(content["notice_seconds"]))
