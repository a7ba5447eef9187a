"""The queue as the hooks see it: whose job is it, and what was told of it before?

Waiters poll, and one poll passes several hooks: an answer of the queue is remembered for a moment.
"""

from time import monotonic

from sagequeue.client import QueueClient
from sagequeue.contract import Job, TrainingRequest
from sagequeue.errors import UnknownJob
from sagequeue.transitions import Transition

#: Shorter than the SDKs' shortest pause between two polls (5 s), so that a waiter sees every change.
MEMORY_SECONDS = 3.0


class JobLookup:
    """The queue's jobs by name; None stands for a job that is not the queue's."""

    def __init__(self, queue: QueueClient) -> None:
        self._queue = queue
        self._seen: dict[str, tuple[float, Job | None]] = {}
        self._told: dict[str, int] = {}  # transitions of a job by its name

    def find(self, name: object) -> Job | None:
        """The job of that name. Raises QueueUnreachable rather than guess that it is not the queue's."""
        if not isinstance(name, str):
            return None  # the caller's own parameter check will say so
        self._forget_old()
        seen = self._seen.get(name) or (monotonic(), self._ask(name))
        self._seen[name] = seen
        return seen[1]

    def submit(self, request: TrainingRequest) -> Job:
        job = self._queue.submit(request)
        self._seen.pop(job["name"], None)
        return job

    def cancel(self, name: str) -> Job:
        self._seen.pop(name, None)
        return self._queue.cancel(name)

    def no_fewer(self, name: str, transitions: list[Transition]) -> list[Transition]:
        """At least as many transitions as were told before.

        SDK v2 counts them to find the new ones. An attempt that got no instances leaves no trace in the queue, so the
        list would get shorter, and the SDK would print nothing.
        """
        missing = self._told.get(name, 0) - len(transitions)
        self._told[name] = max(self._told.get(name, 0), len(transitions))
        return transitions[:1] * missing + transitions

    def _ask(self, name: str) -> Job | None:
        try:
            return self._queue.get(name)
        except UnknownJob:
            return None

    def _forget_old(self) -> None:
        oldest = monotonic() - MEMORY_SECONDS
        self._seen = {name: entry for name, entry in self._seen.items() if entry[0] > oldest}
