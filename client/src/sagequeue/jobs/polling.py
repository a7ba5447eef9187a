"""Asks for a job repeatedly, even if the queue does not answer for minutes. All programs that wait for a job use it."""

import sys
import time
from collections.abc import Callable, Iterator

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import Job
from sagequeue.errors import QueueUnreachable, Unavailable

#: Seconds without an answer after which the polls end.
LONGEST_OUTAGE = 900.0


def to_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Outage:
    """A time without answers. `warn` gets a line at its beginning."""

    def __init__(self, warn: Callable[[str], object] = to_stderr) -> None:
        self._warn = warn
        self._began: float | None = None

    def raise_if_too_long(self, error: Exception, text: str) -> None:
        """Notes that a call got no answer. Raises `error` if there has been no answer for LONGEST_OUTAGE."""
        if self._began is None:
            self._began = time.monotonic()
            self._warn(f"{text}; asking again for up to {LONGEST_OUTAGE / 60:.0f} minutes: {error}")
        elif time.monotonic() - self._began >= LONGEST_OUTAGE:
            raise error

    def end(self) -> None:
        self._began = None

    @property
    def lasts(self) -> bool:
        return self._began is not None


def poll(queue: QueueClient, name: str, every: float, warn: Callable[[str], object] = to_stderr) -> Iterator[Job]:
    """Yields the job at each poll, forever. While the queue does not answer, warns once and repeats the last answer.

    Raises QueueUnreachable or Unavailable if the first poll fails, or if the queue does not answer for LONGEST_OUTAGE.
    """
    job, outage = queue.get(name), Outage(warn)
    while True:
        yield job
        time.sleep(every)
        try:
            job = queue.get(name)
        except (QueueUnreachable, Unavailable) as error:
            outage.raise_if_too_long(error, f"{name}: no answer from the queue")
        else:
            outage.end()
