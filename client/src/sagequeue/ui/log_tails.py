"""Reads the end of a job's log in CloudWatch Logs, or searches the log, with the caller's own credentials."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, TypedDict

import boto3

from sagequeue.contract.jobs import Attempt, Job
from sagequeue.jobs.description import log_group_of
from sagequeue.jobs.logs import ended_long_ago

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_logs import CloudWatchLogsClient

#: Maximum number of lines shown.
LINES = 300
#: Maximum numbers of hosts and of attempts to read: each host of an attempt costs one call.
HOSTS = 4
ATTEMPTS = 3
#: Maximum number of calls in one search, and of lines in one call (fewer if they exceed 1 MB).
PAGES = 20
_PAGE = 10_000
#: Maximum number of complete log ends kept in memory.
_MOST_ENDS = 100


class Line(TypedDict):
    at: int  # milliseconds since 1970
    attempt: str
    host: str
    text: str


class LogLines(TypedDict):
    lines: list[Line]  # the last ones, attempt by attempt
    read: int  # number of lines read
    is_whole: bool  # whether no earlier lines were left out


class LogTails:
    """Reads the logs of jobs. Thread-safe."""

    def __init__(self, session: boto3.Session, region: str | None) -> None:
        self._session = session
        self._region = region
        self._once = Lock()
        self._made: CloudWatchLogsClient | None = None
        self._ends: dict[str, list[Line]] = {}  # of attempts whose logs are complete: the page asks every few seconds

    def of(self, job: Job, attempt: str) -> LogLines:
        """Returns the last log lines of the named attempt, or of the latest attempts if no attempt has this name."""
        lines: list[Line] = []
        for known in _attempts(job, attempt)[:ATTEMPTS]:
            lines = [*self._end_of(log_group_of(job), known), *lines]
            if len(lines) >= LINES:
                break
        return {"lines": lines[-LINES:], "read": len(lines), "is_whole": False}

    def search(self, job: Job, attempt: str, text: str) -> LogLines:
        """Returns the last log lines, of this attempt or of all attempts, that contain a text. Ignores case."""
        group = log_group_of(job)
        wanted, read, left, is_whole = text.casefold(), 0, PAGES, True
        lines: list[Line] = []
        for name in (known["name"] for known in _attempts(job, attempt)):
            found: list[list[Line]] = []
            streams, has_more = self._streams(group, name)
            is_whole &= not has_more
            for page in chain.from_iterable(self._pages(group, name, stream, _PAGE) for stream in streams):
                left, read = left - 1, read + len(page)
                found.append([line for line in page if wanted in line["text"].casefold()])
                if not left:
                    break
            lines = [*_in_order(found), *lines]
            if not left or len(lines) > LINES:
                return {"lines": lines[-LINES:], "read": read, "is_whole": False}
        return {"lines": lines, "read": read, "is_whole": is_whole}

    @property
    def _logs(self) -> "CloudWatchLogsClient":
        with self._once:  # boto3 sessions are not thread-safe; a client is created only when a log is shown
            self._made = self._made or self._session.client("logs", region_name=self._region)
            return self._made

    def _streams(self, group: str, attempt: str) -> tuple[list[str], bool]:
        """Returns the streams of the first hosts, and whether there are more."""
        try:
            found = self._logs.describe_log_streams(
                logGroupName=group, logStreamNamePrefix=f"{attempt}/", limit=HOSTS + 1
            )
        except self._logs.exceptions.ResourceNotFoundException:  # no job in the account has logged anything yet
            return [], False
        streams = [stream["logStreamName"] for stream in found["logStreams"]]
        return streams[:HOSTS], len(streams) > HOSTS

    def _end_of(self, group: str, attempt: Attempt) -> list[Line]:
        name = attempt["name"]
        if name in self._ends:
            return self._ends[name]
        streams, _ = self._streams(group, name)
        lines = _in_order(next(self._pages(group, name, stream, LINES), []) for stream in streams)[-LINES:]
        if ended_long_ago(attempt):
            if len(self._ends) >= _MOST_ENDS:
                self._ends.clear()
            self._ends[name] = lines
        return lines

    def _pages(self, group: str, attempt: str, stream: str, limit: int) -> Iterator[list[Line]]:
        """Yields the pages of a stream, last page first."""
        host, token = stream.partition("/")[2].rpartition("-")[0], None
        while True:
            before: Any = {"nextToken": token} if token else {}
            page = self._logs.get_log_events(
                logGroupName=group, logStreamName=stream, startFromHead=False, limit=limit, **before
            )
            if page["events"]:
                yield [
                    {"at": event["timestamp"], "attempt": attempt, "host": host, "text": event["message"].rstrip("\n")}
                    for event in page["events"]
                ]
            if page["nextBackwardToken"] == token:  # the beginning
                return
            token = page["nextBackwardToken"]


def _attempts(job: Job, attempt: str) -> Sequence[Attempt]:
    """Returns the attempt if the job has it, else all attempts, last one first."""
    chosen = [known for known in job["attempts"] if known["name"] == attempt]
    return chosen or job["attempts"][::-1]


def _in_order(pages: Iterable[Iterable[Line]]) -> list[Line]:
    return sorted(chain.from_iterable(pages), key=itemgetter("at"))
