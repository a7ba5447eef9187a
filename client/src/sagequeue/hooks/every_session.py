"""Leads every boto3 session of this process through the queue: for `sagequeue run`, which starts somebody's program.

botocore has a variable for plugins, but calls it private and goes on in silence when a plugin cannot be loaded: jobs
would go round the queue.
"""

from functools import wraps
from typing import Any

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.hooks.installation import install


def install_in_every_session(queue: QueueClient) -> None:
    """For sessions that are made from now on. There is no way back: it is for a process of its own."""
    make = boto3.Session.__init__

    @wraps(make)
    def make_and_install(session: boto3.Session, *arguments: Any, **options: Any) -> None:
        make(session, *arguments, **options)
        install(session, queue)

    setattr(boto3.Session, "__init__", make_and_install)  # noqa: B010  # the type checker allows no assignment
