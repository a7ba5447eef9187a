"""What can be led through the queue, and what is when nothing is named.

SDK v2 makes JumpStart's default session when it is imported, for JumpStart's estimators that are given none.
"""

import sys
from typing import Any

import boto3
from botocore.client import BaseClient

#: What can be led through the queue: all clients that a session makes from now on, or one client that exists already.
Target = boto3.Session | BaseClient


def targets_of(target: Target | None) -> list[Target]:
    return [target] if target is not None else [_default_session(), *jumpstart_targets()]


def jumpstart_targets() -> list[Target]:
    """Its session, for clients that are still to be made, and its client; nothing where there is no SDK v2."""
    constants = sys.modules.get("sagemaker.jumpstart.constants")
    session = getattr(constants, "DEFAULT_JUMPSTART_SAGEMAKER_SESSION", None)  # None where there is no region
    return [session.boto_session, session.sagemaker_client] if session else []


def events_of(target: Target) -> Any:
    return target.events if isinstance(target, boto3.Session) else target.meta.events


def _default_session() -> boto3.Session:
    if boto3.DEFAULT_SESSION is None:
        boto3.setup_default_session()
    assert boto3.DEFAULT_SESSION is not None  # noqa: S101  # for the type checker: the line above made one
    return boto3.DEFAULT_SESSION
