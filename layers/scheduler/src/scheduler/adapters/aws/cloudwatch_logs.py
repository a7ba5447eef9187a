"""The logs of training jobs in CloudWatch Logs, one stream for each host."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.core.idle_gpus.hangs.hang_check import LastLine

if TYPE_CHECKING:
    from mypy_boto3_logs import CloudWatchLogsClient
    from mypy_boto3_logs.type_defs import GetLogEventsRequestTypeDef

logger = logging.getLogger(__name__)

_GROUP = "/aws/sagemaker/TrainingJobs"
#: The most hosts whose logs are read: each host costs a call, and the first host usually shows the cause.
_HOSTS = 8
_LINES = 50
#: Streams in one answer of DescribeLogStreams, which is also the most that are searched for the last line.
_STREAMS = 50
#: How long the last line of a host is known, while the logs of the other hosts are read.
_KNOWN_FOR = timedelta(minutes=10)
#: Pages of one stream that are read for its last line: CloudWatch may return empty pages before it.
_PAGES = 10
#: Characters. As many as SageMaker's FailureReason has (aws-facts 2.28), because every pattern is tried on each line.
_LONGEST_LINE = 1024


class CloudWatchLogs:
    """Implements the port `TrainingLogs`."""

    def __init__(self, client: CloudWatchLogsClient) -> None:
        self._client = client
        self._known: dict[str, _LastLineOfHost] = {}  # by stream

    def last_lines(self, attempt_name: str) -> tuple[str, ...]:
        try:
            return tuple(self._lines(attempt_name))
        except (ClientError, BotoCoreError) as error:
            logger.warning("no log", extra={"attempt": attempt_name, "cause": type(error).__name__})
            return ()

    def last_line(self, attempt_name: str, since: datetime, now: datetime) -> LastLine | None:
        # The times in DescribeLogStreams may lag for an hour, so each stream is read. CloudWatch allows about ten
        # reads a second. So after an error the next call, of a later sweep, continues with the streams that are left.
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
            known = self._known[stream] = _LastLineOfHost(stream, self._last_line_in(stream, since), now)
        return known

    def _all_streams(self, attempt_name: str) -> list[str]:
        found = self._client.describe_log_streams(
            logGroupName=_GROUP, logStreamNamePrefix=f"{attempt_name}/", limit=_STREAMS
        )
        if found.get("nextToken"):
            raise _Unread
        return [stream["logStreamName"] for stream in found["logStreams"]]

    def _last_line_in(self, stream: str, since: datetime) -> datetime | None:
        """Reads backwards until it finds a line. If a token repeats, there are no more lines."""
        token, asked = "", _tail_of(stream, since)
        for _ in range(_PAGES):
            page = self._client.get_log_events(**asked)
            if page["events"]:
                return datetime.fromtimestamp(page["events"][-1]["timestamp"] / 1000, UTC)
            if page["nextBackwardToken"] == token:
                return None
            token = asked["nextToken"] = page["nextBackwardToken"]
        raise _Unread

    def _lines(self, attempt_name: str) -> Iterator[str]:
        found = self._client.describe_log_streams(
            logGroupName=_GROUP, logStreamNamePrefix=f"{attempt_name}/", limit=_HOSTS
        )
        for stream in found["logStreams"]:
            answer = self._client.get_log_events(
                logGroupName=_GROUP, logStreamName=stream["logStreamName"], limit=_LINES, startFromHead=False
            )
            yield from (event["message"][-_LONGEST_LINE:] for event in answer["events"])


def _tail_of(stream: str, since: datetime) -> GetLogEventsRequestTypeDef:
    start = round(since.timestamp() * 1000)
    return {"logGroupName": _GROUP, "logStreamName": stream, "startTime": start, "limit": 1, "startFromHead": False}


@dataclass(frozen=True, slots=True)
class _LastLineOfHost:
    stream: str
    at: datetime | None
    read_at: datetime


class _Unread(Exception):
    """Signals that the log has more streams or pages than are read, so the time of its last line is unknown."""
