"""Implements the JSON 1.1 protocol between boto3 and SageMaker: bytes in, status and bytes out."""

import json
from dataclasses import dataclass
from typing import Any

from local_sagemaker.api.operations import call_operation
from local_sagemaker.api.validation import declares_error
from local_sagemaker.errors import AwsError, unknown_operation, unreadable
from local_sagemaker.state_machine.fault_injection import NO_FAULT, Fault
from local_sagemaker.state_machine.machine import StateMachine

CONTENT_TYPE = "application/x-amz-json-1.1"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    delay_seconds: float = 0.0  # before the answer is sent
    is_lost: bool = False  # the answer never reaches the caller


def answer(machine: StateMachine, target: str, body: bytes, now: float, fault: Fault = NO_FAULT) -> Answer:
    """Answers one call. `target` is the header X-Amz-Target. Raises a fault's error if SageMaker cannot send it."""
    if fault.error is None:
        return _carry_out(machine, target, body, now)
    if fault.takes_effect:
        _carry_out(machine, target, body, now)
    if isinstance(fault.error, AwsError):
        return refuse(fault.error)
    raise fault.error


def fault_of(machine: StateMachine, target: str, body: bytes) -> Fault:
    """Returns the fault that the rules inject into this call."""
    try:
        return machine.fault_rules.fault_of(_operation(target), _parse(body))
    except AwsError:
        return NO_FAULT  # the call fails without a fault


def refuse(error: AwsError) -> Answer:
    # Errors that the model declares have the member Message; the service's common errors have message.
    key = "Message" if declares_error(error.code) else "message"
    return Answer(error.http_status, json.dumps({"__type": error.code, key: error.message}).encode())


def _carry_out(machine: StateMachine, target: str, body: bytes, now: float) -> Answer:
    try:
        response = call_operation(machine, _operation(target), _parse(body), now)
    except AwsError as error:
        return refuse(error)
    return Answer(200, json.dumps(response).encode())


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
