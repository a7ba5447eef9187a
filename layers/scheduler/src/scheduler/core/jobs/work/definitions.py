"""Reads the parts of a request that name an execution role: the request itself, or a tuning job's definitions."""

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler.core.jobs.work.kind import WorkKind, kind_of


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
