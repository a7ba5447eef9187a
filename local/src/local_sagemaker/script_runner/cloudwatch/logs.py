"""Sends a host's output to CloudWatch Logs, where the SDK reads it."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_logs import CloudWatchLogsClient
    from mypy_boto3_logs.type_defs import InputLogEventTypeDef

LOG_GROUP = "/aws/sagemaker/TrainingJobs"
PROCESSING_LOG_GROUP = "/aws/sagemaker/ProcessingJobs"
# The limits of one PutLogEvents call: 10,000 events and 1 MiB. Each message counts 26 bytes more than its length.
_MAX_EVENTS = 10_000
_MAX_BYTES = 1_048_576
_EVENT_OVERHEAD = 26
_MAX_MESSAGE = 65_536  # characters, so at most 256 KiB

_log = logging.getLogger(__name__)


class LogStream:
    """Collects lines that any thread adds; `flush` sends them. A failed call loses lines but never fails the job."""

    def __init__(self, client: CloudWatchLogsClient, name: str, group: str = LOG_GROUP) -> None:
        self._client = client
        self._group = group
        self._name = name
        self._lines: list[InputLogEventTypeDef] = []
        self._lock = threading.Lock()
        self._exists = False

    def write(self, line: str) -> None:
        text = line.rstrip("\r\n")[:_MAX_MESSAGE] or " "  # CloudWatch refuses an empty message
        with self._lock:
            self._lines.append({"timestamp": round(time.time() * 1000), "message": text})

    def flush(self) -> None:
        with self._lock:
            lines, self._lines = self._lines, []
        try:
            if not self._exists:
                self._create()
            for batch in _batches(lines):
                self._client.put_log_events(logGroupName=self._group, logStreamName=self._name, logEvents=batch)
        except (BotoCoreError, ClientError) as error:
            _log.warning("log lines of %s were lost: %s", self._name, error)

    def _create(self) -> None:
        """Creates the stream, which may already exist: if a run ends at once, the job's next run has the same name."""
        exists = self._client.exceptions.ResourceAlreadyExistsException
        with suppress(exists):
            self._client.create_log_group(logGroupName=self._group)
        with suppress(exists):
            self._client.create_log_stream(logGroupName=self._group, logStreamName=self._name)
        self._exists = True


def _batches(lines: list[InputLogEventTypeDef]) -> list[list[InputLogEventTypeDef]]:
    batches: list[list[InputLogEventTypeDef]] = []
    room = 0
    for line in lines:
        size = len(line["message"].encode()) + _EVENT_OVERHEAD
        if size > room or len(batches[-1]) == _MAX_EVENTS:
            batches.append([])
            room = _MAX_BYTES
        batches[-1].append(line)
        room -= size
    return batches
