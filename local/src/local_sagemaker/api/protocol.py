"""The JSON 1.1 protocol that boto3 speaks with SageMaker: bytes in, status and bytes out."""

import json
from dataclasses import dataclass
from typing import Any

from local_sagemaker.api.service_model import service_model
from local_sagemaker.errors import AwsError, unknown_operation, unreadable
from local_sagemaker.state_machine.fault_injection import NO_FAULT, Fault
from local_sagemaker.state_machine.machine import World

CONTENT_TYPE = "application/x-amz-json-1.1"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    delay_seconds: float = 0.0  # until it is sent
    is_lost: bool = False  # the caller never gets it


def answer(world: World, target: str, body: bytes, now: float, fault: Fault = NO_FAULT) -> Answer:
    """`target` is the header X-Amz-Target. A fault's error that SageMaker could not have sent is raised."""
    if fault.error is None:
        return _carry_out(world, target, body, now)
    if fault.takes_effect:
        _carry_out(world, target, body, now)
    if isinstance(fault.error, AwsError):
        return refuse(fault.error)
    raise fault.error


def fault_of(world: World, target: str, body: bytes) -> Fault:
    """What the world's mischief has in store for this call."""
    try:
        return world.mischief.of_call(_operation(target), _parse(body))
    except AwsError:
        return NO_FAULT  # the call fails by itself


def _carry_out(world: World, target: str, body: bytes, now: float) -> Answer:
    try:
        response = world.call(_operation(target), _parse(body), now)
    except AwsError as error:
        return refuse(error)
    return Answer(200, json.dumps(response).encode())


def refuse(error: AwsError) -> Answer:
    # Errors that the model declares spell their text with a capital letter, the service's common ones do not.
    key = "Message" if error.code in service_model().shape_names else "message"
    return Answer(error.http_status, json.dumps({"__type": error.code, key: error.message}).encode())


def _operation(target: str) -> str:
    prefix, _, operation = target.partition(".")
    if prefix != "SageMaker" or not operation:
        raise unknown_operation(target)
    return operation


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        raise unreadable("The body is not JSON") from error
