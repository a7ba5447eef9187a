"""Waits for a job of an array that does not exist yet. The queue creates it when it can start."""

import time
from collections.abc import Iterator

from sagequeue.api.client import QueueClient
from sagequeue.errors import ChildNotCreated, JobFailed, StillRunning

#: Seconds between two polls.
EVERY = 3.0


def until_created(queue: QueueClient, name: str, deadline: float | None) -> Iterator[str]:
    """Yields each new reason why the job does not exist yet. Ends once it exists, at once for a job of no array.

    Raises JobFailed if its array has ended without it, and StillRunning after the deadline.
    """
    shown = ""
    while (missing := _missing(queue, name)) is not None:
        array = name.rpartition("-")[0]
        if queue.array(array)["end"] is not None:
            raise JobFailed(missing, f"See `sagequeue arrays show {array}`.")
        if missing != shown:
            shown = missing
            yield shown
        if deadline is not None and time.monotonic() >= deadline:
            remedy = f"Wait again, or cancel all its jobs with `sagequeue arrays cancel {array}`."
            raise StillRunning(f"{missing}. Its array stays in the queue.", remedy)
        time.sleep(EVERY)


def _missing(queue: QueueClient, name: str) -> str | None:
    """Returns the message about a job that does not exist yet; None if it exists. Raises UnknownJob."""
    try:
        queue.get(name)
    except ChildNotCreated as error:
        return error.message.rstrip(".")
    return None
