"""Leads training jobs through the queue, whichever SDK made the call.

botocore's events let a handler change a call's parameters (`before-parameter-build`), answer it in place of the network
(`before-call`) and correct its answer (`after-call`). So CreateTrainingJob goes to the queue, and whoever then asks for
the job by its name gets the queue's answer, or SageMaker's about the right attempt. All else goes to AWS untouched.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.hooks.cloudwatch_metrics import METRIC_HANDLERS
from sagequeue.hooks.job_lookup import JobLookup
from sagequeue.hooks.log_streams import LOG_HANDLERS
from sagequeue.hooks.sdk_versions import refuse_old_core
from sagequeue.hooks.ssh_helper import SSH_HANDLERS
from sagequeue.hooks.targets import Target, events_of, targets_of
from sagequeue.hooks.training_jobs import JOB_HANDLERS, TUNING_HANDLERS

_HANDLERS = {**JOB_HANDLERS, **LOG_HANDLERS, **METRIC_HANDLERS, **SSH_HANDLERS, **TUNING_HANDLERS}
_routes: WeakKeyDictionary[Target, "Route"] = WeakKeyDictionary()


def install(target: Target | None = None, queue: QueueClient | None = None) -> None:
    """Lead the training jobs of `target` through the queue; installing again changes the queue.

    Without a target it is what the SageMaker SDKs take when they are given no session: boto3's default session, and
    JumpStart's if SDK v2 has been imported. Without a queue it is the one that the session's environment names. If the
    queue cannot be reached later, the calls raise QueueUnreachable: no job goes round the queue in silence. Raises
    NotConfigured, or UnsupportedSdk.
    """
    refuse_old_core()
    targets = targets_of(target)
    queue = queue or QueueClient(session=next((one for one in targets if isinstance(one, boto3.Session)), None))
    for one in targets:
        _close(one)
        _open(one, queue)


def uninstall(target: Target | None = None) -> None:
    """Let the calls of `target` go to SageMaker again, those of clients that it made meanwhile included.

    Harmless without `install` before.
    """
    for one in targets_of(target):
        _close(one)


@contextmanager
def queueing(target: Target | None = None, queue: QueueClient | None = None) -> Iterator[None]:
    """`install` for the time of a `with` block."""
    install(target, queue)
    try:
        yield
    finally:
        uninstall(target)


def queues() -> list[QueueClient]:
    """The queues to which something is led now."""
    return [route.queue for route in _routes.values()]


def queue_of(target: Target | None) -> QueueClient | None:
    """The queue to which `target` itself is led."""
    route = _routes.get(target) if target is not None else None
    return route.queue if route else None


class Route:
    """The route to one queue. Clients copy a session's handlers when they are made; closing it reaches them all."""

    def __init__(self, queue: QueueClient) -> None:
        self.is_open = True
        self.queue = queue
        self._jobs = JobLookup(queue)

    def call(self, handle: Callable[..., Any], **event: Any) -> Any:
        return handle(self._jobs, **event) if self.is_open else None


def _open(target: Target, queue: QueueClient) -> None:
    route = _routes[target] = Route(queue)
    for event, handle in _HANDLERS.items():
        answer: Callable[..., Any] = partial(route.call, handle)  # the stubs know only handlers that return nothing
        events_of(target).register(event, answer, unique_id=_id(event))


def _close(target: Target) -> None:
    route = _routes.pop(target, None)
    if route:
        route.is_open = False
    for event in _HANDLERS:  # those that a client got from its session, too
        events_of(target).unregister(event, unique_id=_id(event))


def _id(event: str) -> str:
    return f"sagequeue:{event}"
