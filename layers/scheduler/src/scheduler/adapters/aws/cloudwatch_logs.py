"""The logs of training jobs in CloudWatch Logs, one stream for each host."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby, islice
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.core.idle_gpus.hangs.hang_check import LastLine

if TYPE_CHECKING:
    from mypy_boto3_logs import CloudWatchLogsClient
    from mypy_boto3_logs.type_defs import GetLogEventsRequestTypeDef, OutputLogEventTypeDef

logger = logging.getLogger(__name__)

_GROUP = "/aws/sagemaker/TrainingJobs"
#: The most hosts whose logs are read: each host costs a call, and the first host usually shows the cause.
_HOSTS = 8
_LINES = 50
#: The most streams in one answer from DescribeLogStreams, and the most that are searched for the last line.
_STREAMS = 50
#: How long a host's last line is remembered while the other hosts' logs are read.
_KNOWN_FOR = timedelta(minutes=10)
#: The most pages read from one stream to find its last line: CloudWatch may return empty pages first.
_PAGES = 10
#: Characters. As many as SageMaker's FailureReason has (aws-facts 2.28), because every pattern is tried on each line.
_LONGEST_LINE = 1024


class CloudWatchLogs:
    """Implements the port `TrainingLogs`."""

    def __init__(self, client: CloudWatchLogsClient) -> None:
        self._client = client
        self._known: dict[str, _LastLineOfHost] = {}  # by stream

    def last_lines(self, attempt_name: str, since: datetime | None = None) -> tuple[tuple[str, ...], ...]:
        try:
            return tuple(self._lines(attempt_name, since))
        except (ClientError, BotoCoreError, _Unread) as error:
            logger.warning("no log", extra={"attempt": attempt_name, "cause": type(error).__name__})
            return ()

    def last_line(self, attempt_name: str, since: datetime, now: datetime) -> LastLine | None:
        # The times in DescribeLogStreams may lag for an hour, so each stream is read. CloudWatch allows about ten reads
        # a second. So after an error, the next call (in a later sweep) continues with the remaining streams.
        self._known = {name: line for name, line in self._known.items() if now - line.read_at < _KNOWN_FOR}
        try:
            lines = [self._last_line_of_host(stream, since, now) for stream in self._all_streams(attempt_name)]
        except (ClientError, BotoCoreError, _Unread) as error:
            logger.warning("no log", extra={"attempt": attempt_name, "cause": type(error).__name__})
            return None
        for line in lines:  # the next check reads them again
            self._known.pop(line.stream, None)
        last = max((line.at for line in lines if line.at), default=None)
        return LastLine(last, min(line.read_at for line in lines)) if last else None

    def _last_line_of_host(self, stream: str, since: datetime, now: datetime) -> _LastLineOfHost:
        known = self._known.get(stream)
        if known is None:
            last = self._last_events(_tail_of(stream, 1, since))
            at = datetime.fromtimestamp(last[-1]["timestamp"] / 1000, UTC) if last else None
            known = self._known[stream] = _LastLineOfHost(stream, at, now)
        return known

    def _all_streams(self, attempt_name: str) -> list[str]:
        found = self._client.describe_log_streams(
            logGroupName=_GROUP, logStreamNamePrefix=f"{attempt_name}/", limit=_STREAMS
        )
        if found.get("nextToken"):
            raise _Unread
        return [stream["logStreamName"] for stream in found["logStreams"]]

    def _last_events(self, asked: GetLogEventsRequestTypeDef) -> list[OutputLogEventTypeDef]:
        """Reads backwards until it finds a line. If a token repeats, there are no more lines."""
        token = ""
        for _ in range(_PAGES):
            page = self._client.get_log_events(**asked)
            if page["events"] or page["nextBackwardToken"] == token:
                return page["events"]
            token = asked["nextToken"] = page["nextBackwardToken"]
        raise _Unread

    def _lines(self, attempt_name: str, since: datetime | None) -> Iterator[tuple[str, ...]]:
        for stream in self._newest_streams(attempt_name):
            events = self._last_events(_tail_of(stream, _LINES, since))
            yield tuple(event["message"][-_LONGEST_LINE:] for event in events)

    def _newest_streams(self, attempt_name: str) -> list[str]:
        """Returns the newest stream of each of the first hosts. After a restart, each host has a further stream."""
        pages = self._client.get_paginator("describe_log_streams").paginate(
            logGroupName=_GROUP, logStreamNamePrefix=f"{attempt_name}/"
        )
        # CloudWatch sorts the streams by name, and a name ends with the time at which the program started.
        names = (stream["logStreamName"] for page in pages for stream in page["logStreams"])
        by_host = groupby(names, key=lambda name: name.rpartition("-")[0])
        return [max(of_host) for _, of_host in islice(by_host, _HOSTS)]


def _tail_of(stream: str, lines: int, since: datetime | None) -> GetLogEventsRequestTypeDef:
    start: GetLogEventsRequestTypeDef = {
        "logGroupName": _GROUP,
        "logStreamName": stream,
        "limit": lines,
        "startFromHead": False,
    }
    return start | {"startTime": round(since.timestamp() * 1000)} if since else start


@dataclass(frozen=True, slots=True)
class _LastLineOfHost:
    stream: str
    at: datetime | None
    read_at: datetime


class _Unread(Exception):
    """Signals that the log has more streams or pages than are read, so the time of the last line is unknown."""
