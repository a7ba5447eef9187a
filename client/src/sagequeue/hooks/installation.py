"""Installs the queue on boto3 sessions and clients, so that jobs are queued whichever SDK creates them.

botocore's events let a handler change a call's parameters (`before-parameter-build`), answer it in place of the network
(`before-call`) and correct its answer (`after-call`). CreateTrainingJob, CreateHyperParameterTuningJob and
CreateProcessingJob go to the queue. Later calls that name the job get the queue's answer, or SageMaker's answer about
the right attempt. All other calls go to AWS unchanged.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from weakref import WeakKeyDictionary

import boto3
from botocore.client import BaseClient

from sagequeue.api.client import QueueClient
from sagequeue.errors import UnsupportedSdk
from sagequeue.hooks.cloudwatch_metrics import METRIC_HANDLERS
from sagequeue.hooks.handlers import JobLookup
from sagequeue.hooks.ssh_helper import SSH_HANDLERS
from sagequeue.hooks.training_jobs import JOB_HANDLERS
from sagequeue.hooks.tuning_jobs import TUNING_HANDLERS
from sagequeue.hooks.work_jobs import PROCESSING_HANDLERS

#: A session (for all clients that it creates from then on), or one existing client.
Target = boto3.Session | BaseClient

# Earlier releases kept one client for the whole process, or created the client from their own session. Jobs could then
# go straight to SageMaker, regardless of the session (sagemaker-python-sdk, pull request 6273). SDK v2 uses core 1.
_FIRST_SUPPORTED_CORE = (2, 24)
_HANDLERS = {**JOB_HANDLERS, **TUNING_HANDLERS, **PROCESSING_HANDLERS, **METRIC_HANDLERS, **SSH_HANDLERS}
_routes: WeakKeyDictionary[Target, "Route"] = WeakKeyDictionary()


def install(target: Target | None = None, queue: QueueClient | None = None) -> None:
    """Routes the training jobs of `target` through the queue. Installing again changes the queue.

    The default targets are those that the SageMaker SDKs use without a session: boto3's default session, and
    JumpStart's session if SDK v2 has been imported. The default queue is the queue that the environment names. If the
    queue is unreachable later, calls raise QueueUnreachable; they never silently fall back to SageMaker. Raises
    NotConfigured or UnsupportedSdk.
    """
    refuse_old_core()
    targets = targets_of(target)
    queue = queue or QueueClient(session=next((found for found in targets if isinstance(found, boto3.Session)), None))
    for found in targets:
        _close(found)
        _open(found, queue)


def uninstall(target: Target | None = None) -> None:
    """Sends the calls of `target`, and of clients that it has created, to SageMaker again.

    Does nothing without an earlier `install`.
    """
    for found in targets_of(target):
        _close(found)


@contextmanager
def queueing(target: Target | None = None, queue: QueueClient | None = None) -> Iterator[None]:
    """Installs the queue during a `with` block."""
    install(target, queue)
    try:
        yield
    finally:
        uninstall(target)


def install_in_every_session(queue: QueueClient) -> None:
    """Installs the queue in every session created from now on, for `sagequeue run`; this cannot be undone.

    botocore's variable for plugins is no alternative: it is private, and botocore ignores plugins that cannot be
    loaded, so jobs would bypass the queue without an error.
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
    """Returns the queue that `target` itself is routed to, or None."""
    route = _routes.get(target) if target is not None else None
    return route.queue if route else None


def forget_answers() -> None:
    """Clears the caches of all sessions, so that a program that has seen a job's end gets no outdated answer."""
    for route in list(_routes.values()):
        route.jobs.forget()


class Route:
    """Passes events to one queue's handlers.

    Clients copy a session's handlers; closing the route disables all of them.
    """

    def __init__(self, queue: QueueClient) -> None:
        self.is_open = True
        self.queue = queue
        self.jobs = JobLookup(queue)

    def call(self, handle: Callable[..., Any], **event: Any) -> Any:
        return handle(self.jobs, **event) if self.is_open else None


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


def targets_of(target: Target | None) -> list[Target]:
    return [target] if target is not None else [_default_session(), *jumpstart_targets()]


def _default_session() -> boto3.Session:
    if boto3.DEFAULT_SESSION is None:
        boto3.setup_default_session()
    assert boto3.DEFAULT_SESSION is not None  # noqa: S101  # for the type checker: the line above created it
    return boto3.DEFAULT_SESSION


def jumpstart_targets() -> list[Target]:
    """Returns the session that SDK v2 creates on import for JumpStart's estimators, and its client."""
    constants = sys.modules.get("sagemaker.jumpstart.constants")
    session = getattr(constants, "DEFAULT_JUMPSTART_SAGEMAKER_SESSION", None)  # None where there is no region
    return [session.boto_session, session.sagemaker_client] if session else []


def events_of(target: Target) -> Any:
    return target.events if isinstance(target, boto3.Session) else target.meta.events


def refuse_old_core() -> None:
    """Raises UnsupportedSdk if the installed sagemaker-core can ignore the session that it is given.

    Reads only the package's metadata, because importing an SDK takes seconds.
    """
    found = installed("sagemaker-core")
    numbers = tuple(int(digits) for digits in re.findall(r"\d+", found or "")[:2])  # 2 and 24 for "2.24.0rc1"
    if (2,) <= numbers < _FIRST_SUPPORTED_CORE:
        raise UnsupportedSdk(
            f"sagemaker-core {found} can ignore the session that it is given, so jobs could bypass the queue.",
            "Install 'sagemaker-core>=2.24,<3'; the version of the package sagemaker does not matter.",
        )


def installed(package: str) -> str | None:
    """Returns the installed version of the package, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
