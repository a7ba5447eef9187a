"""Reads execution roles and access to shells in a request: in the request itself, or in a tuning job's definitions."""

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler.core.jobs.work.kind import WorkKind, kind_of

#: The member that enables remote debugging.
REMOTE_DEBUG = "RemoteDebugConfig.EnableRemoteDebug"
#: The environment variable that sagemaker-ssh-helper adds to the requests of its jobs, in all its versions.
_SSH_HELPER = "SSH_SSM_ROLE"


def definitions_in(request: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields the definitions of a tuning job with their paths."""
    if "TrainingJobDefinition" in request:
        yield "TrainingJobDefinition.", request["TrainingJobDefinition"]
    for index, definition in enumerate(request.get("TrainingJobDefinitions", ())):
        yield f"TrainingJobDefinitions[{index}].", definition


def roles_in(request: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields the execution roles of a job of any kind, with their paths."""
    if kind_of(request) is not WorkKind.TUNING:
        yield "RoleArn", str(request.get("RoleArn"))
    for path, definition in definitions_in(request):
        yield f"{path}RoleArn", str(definition.get("RoleArn"))


def shell_member_of(request: Mapping[str, Any]) -> str:
    """Returns the member with which a job of any kind lets people open a shell in its containers; empty if none."""
    for path, part in (("", request), *definitions_in(request)):
        if (part.get("RemoteDebugConfig") or {}).get("EnableRemoteDebug"):
            return f"{path}{REMOTE_DEBUG}"
        if _SSH_HELPER in (part.get("Environment") or {}):
            return f"{path}Environment.{_SSH_HELPER}"
    return ""
