"""Installs the queue on boto3 sessions and clients, so that training jobs are queued whichever SDK creates them.

botocore's events let a handler change a call's parameters (`before-parameter-build`), answer it in place of the network
(`before-call`) and correct its answer (`after-call`). CreateTrainingJob goes to the queue. Later calls with the job's
name get the queue's answer, or SageMaker's answer about the right attempt. All other calls go to AWS unchanged.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
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
    """Routes the training jobs of `target` through the queue; installing again changes the queue.

    Without a target, it uses what the SageMaker SDKs use without a session: boto3's default session, and JumpStart's if
    SDK v2 has been imported. Without a queue, it uses the queue that the session's environment names. If the queue is
    unreachable later, calls raise QueueUnreachable: they never silently fall back to SageMaker. Raises NotConfigured,
    or UnsupportedSdk.
    """
    refuse_old_core()
    targets = targets_of(target)
    queue = queue or QueueClient(session=next((found for found in targets if isinstance(found, boto3.Session)), None))
    for found in targets:
        _close(found)
        _open(found, queue)


def uninstall(target: Target | None = None) -> None:
    """Lets the calls of `target`, and of clients that it has made, go to SageMaker again.

    Without an earlier `install` it does nothing.
    """
    for found in targets_of(target):
        _close(found)


@contextmanager
def queueing(target: Target | None = None, queue: QueueClient | None = None) -> Iterator[None]:
    """Installs the queue for the duration of a `with` block."""
    install(target, queue)
    try:
        yield
    finally:
        uninstall(target)


def install_in_every_session(queue: QueueClient) -> None:
    """Installs the queue in every session created from now on, for `sagequeue run`; it cannot be undone.

    botocore has a variable for plugins, but it is private, and botocore ignores a plugin that cannot be loaded: jobs
    would then bypass the queue without an error.
    """
    make = boto3.Session.__init__

    @wraps(make)
    def make_and_install(session: boto3.Session, *arguments: Any, **options: Any) -> None:
        make(session, *arguments, **options)
        install(session, queue)

    setattr(boto3.Session, "__init__", make_and_install)  # noqa: B010  # the type checker allows no assignment


def queues() -> list[QueueClient]:
    """Returns the queues that have an open route."""
    return [route.queue for route in _routes.values()]


def queue_of(target: Target | None) -> QueueClient | None:
    """Returns the queue of the route of `target` itself."""
    route = _routes.get(target) if target is not None else None
    return route.queue if route else None


class Route:
    """A route to one queue. Clients copy a session's handlers when they are created; closing the route disables all."""

    def __init__(self, queue: QueueClient) -> None:
        self.is_open = True
        self.queue = queue
        self._jobs = JobLookup(queue)

    def call(self, handle: Callable[..., Any], **event: Any) -> Any:
        return handle(self._jobs, **event) if self.is_open else None


def _open(target: Target, queue: QueueClient) -> None:
    route = _routes[target] = Route(queue)
    for event, handle in _HANDLERS.items():
        answer: Callable[..., Any] = partial(route.call, handle)  # the type stubs allow only handlers without a result
        events_of(target).register(event, answer, unique_id=_id(event))


def _close(target: Target) -> None:
    route = _routes.pop(target, None)
    if route:
        route.is_open = False
    for event in _HANDLERS:  # includes handlers that a client copied from its session
        events_of(target).unregister(event, unique_id=_id(event))


def _id(event: str) -> str:
    return f"sagequeue:{event}"
