"""What a person who waits for a job is told: where it stands, why, and what it writes, across all its attempts."""

import time
from collections.abc import Iterator

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import FINISHED, Job
from sagequeue.errors import StillRunning
from sagequeue.jobs.logs import EVERY, JobLog, LogLine
from sagequeue.jobs.status import status


def follow_job(queue: QueueClient, name: str, log: JobLog | None = None, timeout: float | None = None) -> Iterator[str]:
    """Lines of text until the job has ended: with a log all that it tells, without one each change of its status.

    Raises UnknownJob, and StillRunning after `timeout` seconds.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    told = ""
    while True:
        job = queue.get(name)
        if log:
            yield from (_text(job, line) for line in log.new_lines(job))
        if told != _status(job) and (log is None or log.is_over(job)):
            told = _status(job)
            yield told
        if log.is_over(job) if log else job["state"] in FINISHED:
            return
        refuse_to_wait_longer(job, deadline)
        time.sleep(EVERY)


def refuse_to_wait_longer(job: Job, deadline: float | None) -> None:
    if deadline is not None and time.monotonic() >= deadline:
        raise StillRunning(
            f"{job['name']} is still {job['state']}; it goes on without you.",
            f"Wait again, see `sagequeue show {job['name']}`, or stop it with `sagequeue cancel {job['name']}`.",
        )


def _text(job: Job, line: LogLine) -> str:
    if line.is_marker:
        return f"--- {line.text}"
    several = sum(job["instances"].values()) > 1
    return f"{line.host}: {line.text}" if several else line.text


def _status(job: Job) -> str:
    now = status(job)
    return f"--- {now.secondary}: {now.message}"
