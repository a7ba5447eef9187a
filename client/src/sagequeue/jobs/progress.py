"""Reports a job's progress while a program waits for it: status changes, reasons and log lines of all attempts."""

import time
from collections.abc import Iterator

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import FINISHED, Job
from sagequeue.errors import StillRunning
from sagequeue.jobs.logs import EVERY, JobLog, LogLine
from sagequeue.jobs.status import status


def follow_job(queue: QueueClient, name: str, log: JobLog | None = None, timeout: float | None = None) -> Iterator[str]:
    """Yields lines of text until the job has ended: its log if one is given, else each change of its status.

    Raises UnknownJob, and StillRunning after `timeout` seconds.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    reported = ""
    while True:
        job = queue.get(name)
        if log:
            yield from (_text(job, line) for line in log.new_lines(job))
        if reported != _status(job) and (log is None or log.is_over(job)):
            reported = _status(job)
            yield reported
        if log.is_over(job) if log else job["state"] in FINISHED:
            return
        check_deadline(job, deadline)
        time.sleep(EVERY)


def check_deadline(job: Job, deadline: float | None) -> None:
    if deadline is not None and time.monotonic() >= deadline:
        raise StillRunning(
            f"{job['name']} is still {job['state']}; it stays in the queue.",
            f"Wait again, check `sagequeue show {job['name']}`, or stop it with `sagequeue cancel {job['name']}`.",
        )


def _text(job: Job, line: LogLine) -> str:
    if line.is_marker:
        return f"--- {line.text}"
    several = sum(job["instances"].values()) > 1
    return f"{line.host}: {line.text}" if several else line.text


def _status(job: Job) -> str:
    now = status(job)
    return f"--- {now.secondary}: {now.message}"
