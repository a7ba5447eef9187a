"""Routes every boto3 session of this process through the queue, for `sagequeue run`.

botocore has a variable for plugins, but it is private, and botocore ignores a plugin that cannot be loaded: jobs would
then bypass the queue without an error.
"""

from functools import wraps
from typing import Any

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.hooks.installation import install


def install_in_every_session(queue: QueueClient) -> None:
    """Installs the queue in every session created from now on. It cannot be undone: use it in a dedicated process."""
    make = boto3.Session.__init__

    @wraps(make)
    def make_and_install(session: boto3.Session, *arguments: Any, **options: Any) -> None:
        make(session, *arguments, **options)
        install(session, queue)

    setattr(boto3.Session, "__init__", make_and_install)  # noqa: B010  # the type checker allows no assignment
