"""Asks for a job repeatedly, even if the queue does not answer for minutes. `sagequeue wait` and Airflow use it."""

import time
from collections.abc import Callable, Iterator

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import Job
from sagequeue.errors import QueueUnreachable, Unavailable

#: Seconds without an answer after which the polls end.
LONGEST_OUTAGE = 900.0


def poll(queue: QueueClient, name: str, every: float, warn: Callable[[str], object]) -> Iterator[Job]:
    """Yields the job at each poll, forever. While the queue does not answer, warns once and repeats the last answer.

    Raises QueueUnreachable or Unavailable if the first poll fails, or if the queue does not answer for LONGEST_OUTAGE.
    """
    job, lost_at = queue.get(name), None
    while True:
        yield job
        time.sleep(every)
        try:
            job, lost_at = queue.get(name), None
        except (QueueUnreachable, Unavailable) as error:
            if lost_at is None:
                lost_at = time.monotonic()
                minutes = f"{LONGEST_OUTAGE / 60:.0f} minutes"
                warn(f"{name}: no answer from the queue; asking again for up to {minutes}: {error.message}")
            elif time.monotonic() - lost_at >= LONGEST_OUTAGE:
                raise
