"""Implements models and endpoints as records: a program sees the model data that it deploys. Nothing is hosted.

An endpoint is InService at once. A restart of the server forgets these records.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from local_sagemaker.errors import invalid
from local_sagemaker.state_machine.machine import StateMachine

_Operation = Callable[[StateMachine, dict[str, Any], float], dict[str, Any]]
#: The resources: the name of each in ARNs, in error texts, and in the names of operations.
_RESOURCES = {
    "Model": ("model", "model"),
    "EndpointConfig": ("endpoint-config", "endpoint configuration"),
    "Endpoint": ("endpoint", "endpoint"),
}


def _create(resource: str) -> _Operation:
    def create(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
        arn, text = _identity(machine, resource, request)
        if arn in machine.hosted:
            raise invalid(f'Cannot create already existing {text} "{arn}".')
        if resource == "Endpoint":
            _find(machine, "EndpointConfig", request)
        record = deepcopy({name: value for name, value in request.items() if name != "Tags"})
        machine.hosted[arn] = {**record, f"{resource}Arn": arn, "CreationTime": now}
        return {f"{resource}Arn": arn}

    return create


def _describe(resource: str) -> _Operation:
    def describe(machine: StateMachine, request: dict[str, Any], _now: float) -> dict[str, Any]:
        record = _find(machine, resource, request)
        if resource != "Endpoint":
            return record
        return {**record, "EndpointStatus": "InService", "LastModifiedTime": record["CreationTime"]}

    return describe


def _delete(resource: str) -> _Operation:
    def delete(machine: StateMachine, request: dict[str, Any], _now: float) -> dict[str, Any]:
        _find(machine, resource, request)
        del machine.hosted[_identity(machine, resource, request)[0]]
        return {}

    return delete


def _identity(machine: StateMachine, resource: str, request: dict[str, Any]) -> tuple[str, str]:
    kind, text = _RESOURCES[resource]
    return machine.arn(kind, request[f"{resource}Name"]), text


def _find(machine: StateMachine, resource: str, request: dict[str, Any]) -> dict[str, Any]:
    arn, text = _identity(machine, resource, request)
    if arn not in machine.hosted:
        raise invalid(f'Could not find {text} "{arn}".')
    return deepcopy(machine.hosted[arn])


OPERATIONS: dict[str, _Operation] = {
    f"{verb}{resource}": make(resource)
    for verb, make in {"Create": _create, "Describe": _describe, "Delete": _delete}.items()
    for resource in _RESOURCES
}
