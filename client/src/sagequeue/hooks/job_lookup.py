"""The queue as the hooks see it: whose job is it, and what was told of it before?

Waiters poll, and one poll passes several hooks: an answer of the queue is remembered for a moment.
"""

from threading import Lock
from time import monotonic

from sagequeue.api.client import QueueClient
from sagequeue.api.endpoint import region_of
from sagequeue.contract.jobs import Job, TrainingRequest
from sagequeue.errors import UnknownJob, WrongRegion
from sagequeue.jobs.status_transitions import Transition

#: Shorter than the SDKs' shortest pause between two polls (5 s), so that a waiter sees every change.
MEMORY_SECONDS = 3.0


class JobLookup:
    """The queue's jobs by name; None stands for a job that is not the queue's.

    All clients of a session share it, and boto3's clients may be shared by threads.
    """

    def __init__(self, queue: QueueClient) -> None:
        self._queue = queue
        self._lock = Lock()  # of both memories; never held during a call
        self._seen: dict[str, tuple[float, Job | None]] = {}
        self._told: dict[str, int] = {}  # transitions of a job by its name

    def find(self, name: object) -> Job | None:
        """The job of that name. Raises QueueUnreachable rather than guess that it is not the queue's."""
        if not isinstance(name, str):
            return None  # the caller's own parameter check will say so
        with self._lock:
            self._forget_old()
            seen = self._seen  # a change puts another in its place, so that an answer which it overtook is not kept
            if name in seen:
                return seen[name][1]
        asked, job = monotonic(), self._ask(name)
        with self._lock:
            seen[name] = asked, job
        return job

    def refuse_other_region(self, region: str) -> None:
        """Raises WrongRegion: a job trains where its queue is, and its data would not be there."""
        expected = region_of(self._queue.api_url)
        if expected and region != expected:
            raise WrongRegion(
                f"The queue is in {expected}, and this session is in {region}.",
                f"Use a session in {expected}, or name the queue of {region}.",
            )

    def submit(self, request: TrainingRequest) -> Job:
        try:
            return self._queue.submit(request)
        finally:  # whatever the answer was, or if there was none
            self._forget()

    def cancel(self, name: str) -> Job:
        try:
            return self._queue.cancel(name)
        finally:
            self._forget()

    def no_fewer(self, name: str, transitions: list[Transition]) -> list[Transition]:
        """At least as many transitions as were told before.

        SDK v2 counts them to find the new ones. An attempt that got no instances leaves no trace in the queue, so the
        list would get shorter, and the SDK would print nothing.
        """
        with self._lock:
            most = self._told[name] = max(self._told.get(name, 0), len(transitions))
        missing = most - len(transitions)
        return transitions[:1] * missing + transitions

    def _ask(self, name: str) -> Job | None:
        try:
            return self._queue.get(name)
        except UnknownJob:
            return None

    def _forget_old(self) -> None:
        oldest = monotonic() - MEMORY_SECONDS
        for name in [name for name, (asked, _) in self._seen.items() if asked <= oldest]:
            del self._seen[name]

    def _forget(self) -> None:
        with self._lock:
            self._seen = {}
