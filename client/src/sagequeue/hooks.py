"""Leads a boto3 session's training jobs through the queue, whichever SDK uses the session.

botocore's events let a handler change a call's parameters (`before-parameter-build`), answer it in place of the network
(`before-call`) and correct its answer (`after-call`). So CreateTrainingJob goes to the queue, and whoever then asks for
the job by its name gets the queue's answer, or SageMaker's about the right attempt. All else goes to AWS untouched.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import boto3

from sagequeue.client import QueueClient
from sagequeue.log_streams import LOG_HANDLERS
from sagequeue.lookup import JobLookup
from sagequeue.operations import JOB_HANDLERS

_HANDLERS = {**JOB_HANDLERS, **LOG_HANDLERS}


def install(session: boto3.Session, queue: QueueClient) -> None:
    """Lead the training jobs of every client that the session makes from now on through the queue.

    If the queue cannot be reached, their calls raise QueueUnreachable: no job goes round the queue in silence.
    """
    uninstall(session)
    jobs = JobLookup(queue)
    for event, handle in _HANDLERS.items():
        answer: Callable[..., Any] = partial(handle, jobs)  # the stubs know only handlers that return nothing
        session.events.register(event, answer, unique_id=_id(event))


def uninstall(session: boto3.Session) -> None:
    """Let clients that the session makes from now on talk to SageMaker again. Harmless without `install` before."""
    for event in _HANDLERS:
        session.events.unregister(event, unique_id=_id(event))


def _id(event: str) -> str:
    return f"sagequeue:{event}"
