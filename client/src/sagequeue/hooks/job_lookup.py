"""Looks up jobs for the hooks, with a short cache.

Waiting programs poll, and one poll passes several hooks: the queue's answer is cached for some seconds.
"""

from threading import Lock
from time import monotonic

from sagequeue.api.client import QueueClient
from sagequeue.api.endpoint import region_of
from sagequeue.contract.jobs import Job, TrainingRequest
from sagequeue.errors import UnknownJob, WrongRegion
from sagequeue.jobs.status_transitions import Transition

#: Shorter than the SDKs' shortest pause between two polls (5 s), so that a waiting program sees every change.
CACHE_SECONDS = 3.0


class JobLookup:
    """The queue's jobs by name; None for a name that is not in the queue.

    All clients of a session share it, and threads may share boto3's clients.
    """

    def __init__(self, queue: QueueClient) -> None:
        self._queue = queue
        self._lock = Lock()  # guards both caches; never held during a call
        self._seen: dict[str, tuple[float, Job | None]] = {}
        self._reported: dict[str, int] = {}  # the number of transitions, by job

    def find(self, name: object) -> Job | None:
        """Returns the job with this name. Raises QueueUnreachable rather than assume that it is not queued."""
        if not isinstance(name, str):
            return None  # botocore's own parameter check will refuse it
        with self._lock:
            self._forget_old()
            seen = self._seen  # `_forget` replaces it, so an answer from before a change is not cached
            if name in seen:
                return seen[name][1]
        asked, job = monotonic(), self._ask(name)
        with self._lock:
            seen[name] = asked, job
        return job

    def refuse_other_region(self, region: str) -> None:
        """Raises WrongRegion for another region: the job would train in the queue's region, without its data."""
        expected = region_of(self._queue.api_url)
        if expected and region != expected:
            raise WrongRegion(
                f"The queue is in {expected}, but this session is in {region}.",
                f"Use a session in {expected}, or a queue in {region}.",
            )

    def submit(self, request: TrainingRequest) -> Job:
        try:
            return self._queue.submit(request)
        finally:  # whether or not there was an answer
            self._forget()

    def cancel(self, name: str) -> Job:
        try:
            return self._queue.cancel(name)
        finally:
            self._forget()

    def no_fewer(self, name: str, transitions: list[Transition]) -> list[Transition]:
        """Returns at least as many transitions as were reported before.

        SDK v2 counts transitions to find new ones. The queue keeps no record of an attempt that got no instances, so
        the list could become shorter, and the SDK would print nothing.
        """
        with self._lock:
            most = self._reported[name] = max(self._reported.get(name, 0), len(transitions))
        missing = most - len(transitions)
        return transitions[:1] * missing + transitions

    def _ask(self, name: str) -> Job | None:
        try:
            return self._queue.get(name)
        except UnknownJob:
            return None

    def _forget_old(self) -> None:
        oldest = monotonic() - CACHE_SECONDS
        for name in [name for name, (asked, _) in self._seen.items() if asked <= oldest]:
            del self._seen[name]

    def _forget(self) -> None:
        with self._lock:
            self._seen = {}
