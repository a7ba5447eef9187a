"""The sessions and clients that the queue can be installed on, and the default ones.

SDK v2 creates JumpStart's default session on import, for JumpStart's estimators without a session.
"""

import sys
from typing import Any

import boto3
from botocore.client import BaseClient

#: A session, for all clients that it creates from now on, or one existing client.
Target = boto3.Session | BaseClient


def targets_of(target: Target | None) -> list[Target]:
    return [target] if target is not None else [_default_session(), *jumpstart_targets()]


def jumpstart_targets() -> list[Target]:
    """Returns JumpStart's session, for clients created later, and its client; nothing without SDK v2."""
    constants = sys.modules.get("sagemaker.jumpstart.constants")
    session = getattr(constants, "DEFAULT_JUMPSTART_SAGEMAKER_SESSION", None)  # None where there is no region
    return [session.boto_session, session.sagemaker_client] if session else []


def events_of(target: Target) -> Any:
    return target.events if isinstance(target, boto3.Session) else target.meta.events


def _default_session() -> boto3.Session:
    if boto3.DEFAULT_SESSION is None:
        boto3.setup_default_session()
    assert boto3.DEFAULT_SESSION is not None  # noqa: S101  # for the type checker: the line above created it
    return boto3.DEFAULT_SESSION
