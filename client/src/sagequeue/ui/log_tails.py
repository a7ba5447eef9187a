"""Reads the last log lines of an attempt from CloudWatch Logs, with the caller's own credentials."""

from operator import itemgetter
from threading import Lock
from typing import TYPE_CHECKING, TypedDict

import boto3

from sagequeue.contract.jobs import Job
from sagequeue.jobs.description import TRAINING_JOBS

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_logs import CloudWatchLogsClient

#: Lines shown and hosts read: each host costs a call.
LINES = 300
HOSTS = 4


class Line(TypedDict):
    at: int  # milliseconds since 1970
    host: str
    text: str


class Tail(TypedDict):
    attempt: str
    lines: list[Line]


class LogTails:
    """Reads log tails. Thread-safe."""

    def __init__(self, session: boto3.Session) -> None:
        self._session = session
        self._once = Lock()
        self._made: CloudWatchLogsClient | None = None

    def of(self, job: Job, attempt: str) -> Tail:
        """Returns the tail of this attempt, else of the last one; empty if nothing was logged yet."""
        names = [known["name"] for known in job["attempts"]]
        chosen = attempt if attempt in names else (names or [""])[-1]
        lines = [line for stream in self._streams(chosen) for line in self._last(stream)] if chosen else []
        return {"attempt": chosen, "lines": sorted(lines, key=itemgetter("at"))[-LINES:]}

    @property
    def _logs(self) -> "CloudWatchLogsClient":
        with self._once:  # boto3 sessions are not thread-safe; a client is created only when a log is shown
            self._made = self._made or self._session.client("logs")
            return self._made

    def _streams(self, attempt: str) -> list[str]:
        try:
            found = self._logs.describe_log_streams(
                logGroupName=TRAINING_JOBS, logStreamNamePrefix=f"{attempt}/", limit=HOSTS
            )
        except self._logs.exceptions.ResourceNotFoundException:  # no job of the account has logged anything yet
            return []
        return [stream["logStreamName"] for stream in found["logStreams"]]

    def _last(self, stream: str) -> list[Line]:
        page = self._logs.get_log_events(
            logGroupName=TRAINING_JOBS, logStreamName=stream, limit=LINES, startFromHead=False
        )
        host = stream.partition("/")[2].rpartition("-")[0]
        return [
            {"at": event["timestamp"], "host": host, "text": event["message"].rstrip("\n")} for event in page["events"]
        ]
