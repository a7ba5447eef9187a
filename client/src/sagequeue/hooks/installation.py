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
from weakref import WeakSet

import boto3
from botocore.exceptions import NoRegionError

from sagequeue.api.client import QueueClient
from sagequeue.errors import UnsupportedSdk
from sagequeue.hooks.cloudwatch_metrics import METRIC_HANDLERS
from sagequeue.hooks.handlers import WHICH_ROUTE, JobLookup, Target, events_of, jobs_of
from sagequeue.hooks.ssh_helper import SSH_HANDLERS
from sagequeue.hooks.training_jobs import JOB_HANDLERS
from sagequeue.hooks.tuning_jobs import TUNING_HANDLERS
from sagequeue.hooks.work_jobs import PROCESSING_HANDLERS

# Earlier releases kept one client for the whole process, or created the client from their own session. Jobs could then
# go straight to SageMaker, regardless of the session (sagemaker-python-sdk, pull request 6273). SDK v2 uses core 1.
_FIRST_SUPPORTED_CORE = (2, 24)
_HANDLERS = {**JOB_HANDLERS, **TUNING_HANDLERS, **PROCESSING_HANDLERS, **METRIC_HANDLERS, **SSH_HANDLERS}
_routes: WeakSet["Route"] = WeakSet()


def install(target: Target | None = None, queue: QueueClient | None = None) -> None:
    """Routes the training jobs of `target` through the queue. Installing again changes the queue, also for the clients
    that a session has created since the first install.

    The default targets are those that the SageMaker SDKs use without a session: boto3's default session, JumpStart's
    session if SDK v2 has been imported, and v3's default client if SDK v3 has been imported. The default queue is the
    queue that the environment names. If the queue is unreachable later, calls raise QueueUnreachable; they never
    silently fall back to SageMaker. Raises NotConfigured or UnsupportedSdk.
    """
    refuse_old_core()
    targets = targets_of(target)
    queue = queue or QueueClient(session=next((found for found in targets if isinstance(found, boto3.Session)), None))
    for found in targets:
        _own_route(found).jobs = JobLookup(queue)


def uninstall(target: Target | None = None) -> None:
    """Sends the calls of `target`, and of clients that it has created, to SageMaker again.

    Does nothing without an earlier `install`.
    """
    for found in targets_of(target):
        if jobs_of(found):
            _own_route(found).jobs = None


@contextmanager
def queueing(target: Target | None = None, queue: QueueClient | None = None) -> Iterator[None]:
    """Installs the queue during a `with` block. Afterwards, calls go where they went before: to SageMaker, or to the
    queue of an earlier `install`.
    """
    before = [(found, _route_of(found), jobs_of(found)) for found in targets_of(target)]
    install(target, queue)
    try:
        yield
    finally:
        for found, route, jobs in before:
            if route and route.target is not found:
                _lead(found, route)  # the client follows its session again
            else:
                _own_route(found).jobs = jobs


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
    return [jobs.queue for jobs in _open_lookups()]


def forget_answers() -> None:
    """Clears the caches of all sessions, so that a program that has seen a job's end gets no outdated answer."""
    for jobs in _open_lookups():
        jobs.forget()


def _open_lookups() -> list[JobLookup]:
    return [route.jobs for route in list(_routes) if route.jobs]


class Route:
    """Passes events to the handlers of one queue, or to none while `jobs` is None.

    Clients copy a session's handlers. So a target keeps its route: a change of `jobs` reaches its earlier clients, too.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self.jobs: JobLookup | None = None

    def call(self, handle: Callable[..., Any], **event: Any) -> Any:
        """Passes on the events of the queue's region, because jobs in another region may have the same names. Create
        calls in another region are passed on, to be refused.
        """
        jobs = self.jobs
        if jobs is None or not (jobs.is_in(event["context"]["client_region"]) or ".Create" in event["event_name"]):
            return None
        return handle(jobs, target=self.target, **event)

    def itself(self, **_: object) -> "Route":
        return self


def _own_route(target: Target) -> Route:
    """Returns the route of `target` alone. Until a client has one, it shares its session's route."""
    shared = _route_of(target)
    if shared and shared.target is target:
        return shared
    route = Route(target)
    _lead(target, route)
    _routes.add(route)
    return route


def _lead(target: Target, route: Route) -> None:
    """Sends the events of `target` to the route, in place of any other route."""
    events = events_of(target)
    answers: dict[str, Callable[..., Any]] = {event: partial(route.call, handle) for event, handle in _HANDLERS.items()}
    for event, answer in {**answers, WHICH_ROUTE: route.itself}.items():
        unique_id = f"sagequeue:{event}"
        events.unregister(event, unique_id=unique_id)  # even a client's copy of its session's handler
        events.register(event, answer, unique_id=unique_id)


def _route_of(target: Target) -> Route | None:
    answers: list[tuple[object, Route]] = events_of(target).emit(WHICH_ROUTE)
    return answers[0][1] if answers else None


def _follows_session(client: Target) -> bool:
    """Returns whether the calls of the client go to the queue of its session."""
    route = _route_of(client)
    return route is not None and route.target is not client and route.jobs is not None


def targets_of(target: Target | None) -> list[Target]:
    return [target] if target is not None else [_default_session(), *jumpstart_targets(), *_core_targets()]


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


def _core_targets() -> list[Target]:
    """Returns the client that SDK v3 uses without a session, unless the queue of that client's session applies to it.

    v3 keeps the first client that it has created; if there is none, it creates one from a new session.
    """
    core = sys.modules.get("sagemaker.core.utils.utils")
    try:
        client = core.SageMakerClient().sagemaker_client if core else None
    except NoRegionError:
        return []
    return [] if client is None or _follows_session(client) else [client]


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
