"""Provides types for the handlers of botocore events, answers in place of the network, and a job lookup.

Programs that wait for a job poll the queue, and each poll passes through several handlers. So the queue's answers are
cached for a few seconds.
"""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any

import boto3
from botocore.awsrequest import AWSResponse
from botocore.client import BaseClient
from botocore.compat import HTTPHeaders

from sagequeue.api.client import QueueClient
from sagequeue.api.endpoint import region_of
from sagequeue.contract.jobs import Job, TrainingRequest
from sagequeue.errors import UnknownJob, WrongRegion
from sagequeue.jobs.description import Transition
from sagequeue.jobs.submission_warnings import warn_of, warn_of_source, with_source

#: A session (for all clients that it creates from then on), or one existing client.
Target = boto3.Session | BaseClient
Params = dict[str, Any]
Context = dict[str, Any]
Answer = tuple[AWSResponse, dict[str, Any]]
Handlers = dict[str, Callable[..., Answer | None]]  # by botocore event

#: The key in botocore's context under which the handlers of one call share the job or the request.
KEY = "sagequeue"
#: Our own event; its handler returns the route. A client copies this handler from its session, like the others.
WHICH_ROUTE = "sagequeue-route"
#: The name of the trial job of `verify`. The handlers answer the call, so it reaches neither AWS nor the queue.
PROBE = "sagequeue-verify"
#: Shorter than the SDKs' shortest pause between two polls (5 s), so that a waiting program sees every change.
CACHE_SECONDS = 3.0


def answered(body: dict[str, Any]) -> Answer:
    """Returns the result with which a `before-call` handler answers a call in place of the network."""
    metadata = {"HTTPStatusCode": 200, "HTTPHeaders": {}, "RetryAttempts": 0}
    return AWSResponse("", 200, HTTPHeaders(), None), {**body, "ResponseMetadata": metadata}


def answer_instead(response: AWSResponse, parsed: dict[str, Any], body: dict[str, Any]) -> None:
    """Replaces an error with an answer in an `after-call` handler, before botocore raises the error."""
    response.status_code = 200
    parsed.clear()
    parsed.update(answered(body)[1])


def refuse_other_region(queue: QueueClient, region: str | None) -> None:
    """Raises WrongRegion for a session in another region: its job would train without data, in the queue's region."""
    expected = region_of(queue.api_url)
    if expected and region and region != expected:
        raise WrongRegion(
            f"The queue is in {expected}, but this session is in {region}.",
            f"Use a session in {expected}, or a queue in {region}.",
        )


class JobLookup:
    """Looks up the queue's jobs by name, with a short-lived cache.

    All clients of a session share one lookup, and threads may share boto3's clients. So the lookup is thread-safe.
    """

    def __init__(self, queue: QueueClient) -> None:
        self.followed: set[str] = set()  # names of attempts whose log streams a program has listed
        self.queue = queue
        self._lock = Lock()  # guards both caches; never held during a call
        self._seen: dict[str, tuple[float, Job | None]] = {}
        self._reported: dict[str, int] = {}  # the number of transitions, by job
        self._source_checked: set[str] = set()  # names of jobs

    def find(self, name: object) -> Job | None:
        """Returns the job with this name, or None if the queue has no such job. Raises QueueUnreachable."""
        if not isinstance(name, str):
            return None  # botocore's own parameter check will refuse it
        with self._lock:
            self._forget_old()
            seen = self._seen  # `forget` replaces it, so an answer from before a change is not cached
            if name in seen:
                return seen[name][1]
        asked, job = monotonic(), self._ask(name)
        with self._lock:
            seen[name] = asked, job
        return job

    def is_in(self, region: str) -> bool:
        """Returns whether the queue's jobs are in this region. A local queue has no region."""
        return region_of(self.queue.api_url) in {None, region}

    def refuse_other_region(self, region: str) -> None:
        refuse_other_region(self.queue, region)

    def submit(self, request: TrainingRequest) -> Job:
        """Submits the request with the ETag of its code, and issues the accepted job's warnings."""
        options = with_source(self.queue.session, request)
        try:
            job = self.queue.submit(request, options)
        finally:  # whether or not there was an answer
            self.forget()
        warn_of(self.queue.session, job, request)
        return job

    def check_source(self, job: Job) -> None:
        """Warns once if the code of a started job was replaced after its submission."""
        if job["attempts"] and job["name"] not in self._source_checked:
            self._source_checked.add(job["name"])
            warn_of_source(self.queue.session, job)

    def cancel(self, name: str) -> Job:
        try:
            return self.queue.cancel(name)
        finally:
            self.forget()

    def no_fewer(self, name: str, transitions: list[Transition]) -> list[Transition]:
        """Returns at least as many transitions as were reported before.

        SDK v2 counts transitions to find new transitions. The queue keeps no record of an attempt that got no
        instances, so the list could become shorter, and the SDK would print nothing.
        """
        with self._lock:
            most = self._reported[name] = max(self._reported.get(name, 0), len(transitions))
        missing = most - len(transitions)
        return transitions[:1] * missing + transitions

    def forget(self) -> None:
        """Clears the cache, so that the next `find` asks the queue."""
        with self._lock:
            self._seen = {}

    def _ask(self, name: str) -> Job | None:
        try:
            return self.queue.get(name)
        except UnknownJob:
            return None

    def _forget_old(self) -> None:
        oldest = monotonic() - CACHE_SECONDS
        for name in [name for name, (asked, _) in self._seen.items() if asked <= oldest]:
            del self._seen[name]


def jobs_of(target: Target) -> JobLookup | None:
    """Returns the lookup of the queue that the calls of `target` go to, or None."""
    answers = events_of(target).emit(WHICH_ROUTE)
    found: JobLookup | None = answers[0][1].jobs if answers else None
    return found


def queue_of(target: Target) -> QueueClient | None:
    """Returns the queue that the calls of `target` go to, or None."""
    jobs = jobs_of(target)
    return jobs.queue if jobs else None


def events_of(target: Target) -> Any:
    return target.events if isinstance(target, boto3.Session) else target.meta.events


def stop_in_queue(jobs: JobLookup, context: Context, **_: object) -> Answer | None:
    """Stops the job that an earlier handler of the same call has found, if it is in the queue."""
    job: Job | None = context[KEY]
    if job is None:
        return None
    jobs.cancel(job["name"])
    return answered({})
