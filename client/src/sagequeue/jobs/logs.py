"""Follows a job to its end: yields the logs of all its attempts as one stream, or its status changes.

SageMaker writes a log stream per host of each attempt (`/aws/sagemaker/TrainingJobs`, `<attempt>/algo-1-…`; processing
jobs have their own group). The client reads these streams with the caller's credentials; the queue lists the attempts.
"""

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NoConnection

from sagequeue.api.answers import is_denied
from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import FINISHED, LIVE, Attempt, Job
from sagequeue.errors import StillRunning
from sagequeue.jobs.description import LOG_PERMISSIONS, ending, log_group_of, status, waiting_message
from sagequeue.jobs.polling import Outage, poll
from sagequeue.jobs.submission_warnings import warn_of_source

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_logs import CloudWatchLogsClient

#: Programs that wait for a job show this text in place of the job's log.
NOT_READABLE = (
    f"You may not read the job's log. To see it, ask for {LOG_PERMISSIONS}. Until then, only the job's status is shown."
)
# CloudWatch's error codes after which a retry may succeed.
_TEMPORARY = frozenset({"ThrottlingException", "ServiceUnavailableException", "InternalFailure"})
#: Seconds between two polls.
EVERY = 3.0
#: Seconds after the end of an attempt during which CloudWatch may still receive lines of its log.
LATEST_LINES = 300.0


@dataclass(frozen=True, slots=True)
class LogLine:
    text: str
    host: str = ""  # algo-1; empty for the queue's own lines

    @property
    def is_marker(self) -> bool:
        """Returns whether the queue wrote the line, to mark a wait, or the start or end of an attempt."""
        return not self.host


class JobLog:
    """Tracks how far the log of one job has been read. Not thread-safe.

    `is_followed` is true if the caller reads on until the job has ended. Only then, an outage of CloudWatch raises no
    error at first.
    """

    def __init__(self, logs: "CloudWatchLogsClient", *, is_followed: bool = True) -> None:
        self._logs = logs
        self._is_followed = is_followed
        self._readers: dict[str, _AttemptLog] = {}  # by attempt
        self._ended: set[str] = set()
        self._closed: set[str] = set()
        self._last_wait = ""
        self._outage = Outage()

    def new_lines(self, job: Job) -> Iterator[LogLine]:
        """Yields the lines since the last poll, attempt by attempt."""
        for attempt in job["attempts"]:
            if attempt["name"] not in self._closed:
                yield from self._of(attempt, log_group_of(job), is_last=attempt is job["attempts"][-1])
                if attempt["name"] not in self._closed:
                    return
        yield from self._wait(job)

    @property
    def is_cut_off(self) -> bool:
        """Returns whether CloudWatch did not answer the last call."""
        return self._outage.lasts

    def is_over(self, job: Job) -> bool:
        """Returns whether the log is complete."""
        return job["state"] in FINISHED and all(attempt["name"] in self._closed for attempt in job["attempts"])

    def _of(self, attempt: Attempt, group: str, *, is_last: bool) -> Iterator[LogLine]:
        name = attempt["name"]
        if name not in self._readers:
            self._readers[name] = _AttemptLog(self._logs, group, name)
            self._last_wait = ""  # the next wait may have the same reason
            yield LogLine(f"{name} starts")
        is_quiet = True
        try:
            for line in self._readers[name].new_lines():
                is_quiet = False
                yield line
        except (NoConnection, HTTPClientError, ClientError) as error:
            if not (self._is_followed and _may_pass(error)):
                raise
            self._outage.raise_if_too_long(error, f"{name}: no answer from CloudWatch Logs")
            return
        self._outage.end()
        if attempt["outcome"] is None:
            return
        # The last lines arrive shortly after the end: close after a poll without lines or with a next attempt.
        if (is_quiet and name in self._ended) or not is_last or ended_long_ago(attempt):
            self._closed.add(name)
            yield LogLine(ending(attempt))
        self._ended.add(name)

    def _wait(self, job: Job) -> Iterator[LogLine]:
        wait = "" if job["state"] in LIVE | FINISHED else waiting_message(job, job["state"])
        if wait and wait != self._last_wait:
            yield LogLine(wait)
        self._last_wait = wait


def _may_pass(error: Exception) -> bool:
    return not isinstance(error, ClientError) or error.response["Error"]["Code"] in _TEMPORARY


def ended_long_ago(attempt: Attempt) -> bool:
    """Returns whether CloudWatch will receive no more lines of the attempt."""
    ended = attempt["ended_at"]
    return ended is not None and time.time() - datetime.fromisoformat(ended).timestamp() > LATEST_LINES


@dataclass(frozen=True, slots=True)
class _Page:
    stream: str
    token: str  # where the next page begins
    lines: list[tuple[int, str, str]]  # time in milliseconds, host, text


class _AttemptLog:
    """Reads the log of one attempt: the streams of its hosts, merged by time."""

    def __init__(self, logs: "CloudWatchLogsClient", group: str, attempt: str) -> None:
        self._logs = logs
        self._group = group
        self._attempt = attempt
        self._tokens: dict[str, str] = {}  # by stream

    def new_lines(self) -> Iterator[LogLine]:
        while True:
            pages = [self._next_page(stream) for stream in self._streams()]
            # Not before all streams have answered: a lost connection would skip the lines of the first ones.
            self._tokens.update({page.stream: page.token for page in pages})
            lines = [line for page in pages for line in page.lines]
            if not lines:
                return
            yield from (LogLine(text, host) for _, host, text in sorted(lines, key=itemgetter(0)))

    def _streams(self) -> list[str]:
        pages = self._logs.get_paginator("describe_log_streams").paginate(
            logGroupName=self._group, logStreamNamePrefix=f"{self._attempt}/"
        )
        try:
            return [stream["logStreamName"] for page in pages for stream in page["logStreams"]]
        except self._logs.exceptions.ResourceNotFoundException:  # no job in the account has logged anything yet
            return []

    def _next_page(self, stream: str) -> "_Page":
        """Returns the next events; no lines at the end of the stream. CloudWatch's earlier pages may also be empty."""
        host = stream.partition("/")[2].rpartition("-")[0]
        token = self._tokens.get(stream)
        while True:
            position: dict[str, Any] = {"nextToken": token} if token else {}
            page = self._logs.get_log_events(
                logGroupName=self._group, logStreamName=stream, startFromHead=True, **position
            )
            before, token = token, page["nextForwardToken"]
            if page["events"] or token == before:
                lines = [(event["timestamp"], host, event["message"].rstrip("\n")) for event in page["events"]]
                return _Page(stream, token, lines)


def follow_log(
    queue: QueueClient, logs: "CloudWatchLogsClient", name: str, every: float = EVERY, last: int | None = None
) -> Iterator[LogLine]:
    """Yields the log of all attempts until the job has ended. With `last`, yields only that many of the existing lines.

    Raises UnknownJob.
    """
    log = JobLog(logs)
    for job in poll(queue, name, every):
        if last:
            yield from deque(_lines_so_far(log, job), maxlen=last)
            last = last if log.is_cut_off else None
        else:
            yield from log.new_lines(job)
        if log.is_over(job):
            return


def read_log(queue: QueueClient, logs: "CloudWatchLogsClient", name: str) -> Iterator[LogLine]:
    """Yields the log lines that exist now."""
    yield from _lines_so_far(JobLog(logs, is_followed=False), queue.get(name))


def _lines_so_far(log: JobLog, job: Job) -> Iterator[LogLine]:
    yield from log.new_lines(job)
    yield from log.new_lines(job)  # a second poll without lines closes an attempt that has ended


def follow_job(queue: QueueClient, name: str, log: JobLog | None = None, timeout: float | None = None) -> Iterator[str]:
    """Yields lines of text until the job has ended: its log if one is given, else each change in its status. A caller
    who is not allowed to read the log gets a line that reports this, and then the changes.

    Raises UnknownJob, and StillRunning after `timeout` seconds. If the job has ended by then, only its log is cut off.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    reported, is_source_checked = "", False
    for job in poll(queue, name, EVERY):
        if job["attempts"] and not is_source_checked:
            is_source_checked = True
            warn_of_source(queue.session, job)
        try:
            yield from (_text(job, line) for line in log.new_lines(job)) if log else ()
        except ClientError as error:
            if not is_denied(error.response):
                raise
            log = None
            yield f"--- {NOT_READABLE}"
        is_over = job["state"] in FINISHED and (log is None or log.is_over(job) or _has_passed(deadline))
        if reported != _status(job) and (log is None or is_over):
            reported = _status(job)
            yield reported
        if is_over:
            return
        check_deadline(job, deadline)


def check_deadline(job: Job, deadline: float | None) -> None:
    if job["state"] not in FINISHED and _has_passed(deadline):
        raise StillRunning(
            f"{job['name']} is still {job['state']}; it stays in the queue.",
            f"Wait again, check `sagequeue show {job['name']}`, or stop it with `sagequeue cancel {job['name']}`.",
        )


def _has_passed(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() >= deadline


def _text(job: Job, line: LogLine) -> str:
    if line.is_marker:
        return f"--- {line.text}"
    several = sum(job["instances"].values()) > 1
    return f"{line.host}: {line.text}" if several else line.text


def _status(job: Job) -> str:
    now = status(job)
    return f"--- {now.secondary}: {now.message}"
