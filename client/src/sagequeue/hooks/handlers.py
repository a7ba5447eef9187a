"""Parts that all handlers of botocore events use: types, an answer in place of the network, and the lookup of jobs.

Waiting programs poll, and one poll passes several handlers: the queue's answer is cached for some seconds.
"""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from sagequeue.api.client import QueueClient
from sagequeue.api.endpoint import region_of
from sagequeue.contract.jobs import Job, TrainingRequest
from sagequeue.errors import UnknownJob, WrongRegion
from sagequeue.jobs.description import Transition

Params = dict[str, Any]
Context = dict[str, Any]
Answer = tuple[AWSResponse, dict[str, Any]]
Handlers = dict[str, Callable[..., Answer | None]]  # by botocore event

#: The key of botocore's context under which the handlers of one call share the job or the request.
KEY = "sagequeue"
#: The name of the trial job of `verify`: the handlers answer it, so it reaches neither AWS nor the queue.
PROBE = "sagequeue-verify"
#: Shorter than the SDKs' shortest pause between two polls (5 s), so that a waiting program sees every change.
CACHE_SECONDS = 3.0


def answered(body: dict[str, Any]) -> Answer:
    """Returns what a `before-call` handler returns to answer the call in place of the network."""
    metadata = {"HTTPStatusCode": 200, "HTTPHeaders": {}, "RetryAttempts": 0}
    return AWSResponse("", 200, HTTPHeaders(), None), {**body, "ResponseMetadata": metadata}


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
