"""JumpStart's default session: SDK v2 makes it when it is imported, for JumpStart's estimators that are given none."""

import sys

import boto3
from botocore.client import BaseClient


def jumpstart_targets() -> list[boto3.Session | BaseClient]:
    """Its session, for clients that are still to be made, and its client; nothing where there is no SDK v2."""
    constants = sys.modules.get("sagemaker.jumpstart.constants")
    session = getattr(constants, "DEFAULT_JUMPSTART_SAGEMAKER_SESSION", None)  # None where there is no region
    return [session.boto_session, session.sagemaker_client] if session else []
