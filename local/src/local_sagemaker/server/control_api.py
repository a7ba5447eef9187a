"""Injects faults over HTTP, below /_control/, as tests do in Python.

POST   calls                  adds a rule for calls that fail, hang or are slow
POST   events                 adds a rule for events that are lost, doubled or late
DELETE rules                  removes all rules
PUT    capacity               empties a capacity pool for a time: an instance type, perhaps spot only or in one subnet
PUT    quotas                 replaces the quotas
PUT    unknowns               replaces the choices that AWS does not document
POST   jobs/<name>/interrupt  takes the spot instances away
POST   jobs/<name>/fail       fails the job for a reason of the service
POST   jobs/<name>/hang       withholds reports about the job's work ...
POST   jobs/<name>/release    ... until now
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf, isfinite
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from local_sagemaker.api.protocol import Answer
from local_sagemaker.errors import AwsError
from local_sagemaker.state_machine.behaviour import Unknowns
from local_sagemaker.state_machine.capacity import CapacityPool, Shortage
from local_sagemaker.state_machine.commands import RunFailed
from local_sagemaker.state_machine.fault_injection import CallRule, EventRule, Fault, Unanswered
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR
from local_sagemaker.state_machine.limits import Quotas
from local_sagemaker.state_machine.machine import StateMachine

PREFIX = "/_control/"


@dataclass(frozen=True, slots=True)
class _Error:
    code: str
    message: str
    http_status: Annotated[int, Field(ge=400, le=599)] = 400


@dataclass(frozen=True, slots=True)
class _Call:
    operation: str = "*"
    job: str = "*"
    times: Annotated[int, Field(ge=1)] | None = None
    chance: Annotated[float, Field(ge=0, le=1)] = 1.0
    error: _Error | Literal["no answer"] | None = None
    takes_effect: bool = False
    delay_seconds: Annotated[float, Field(ge=0, le=86_400)] = 0.0


@dataclass(frozen=True, slots=True)
class _Shortage:
    instance_type: str
    back_in_seconds: float | None  # null: until a request replaces it
    spot: bool | None = None  # null: both spot and on demand
    subnet: str | None = None  # null: in every subnet
    fails_after_seconds: float | None = None  # null: jobs wait as long as their own limits allow


@dataclass(frozen=True, slots=True)
class _Failure:
    reason: str = INTERNAL_ERROR


@dataclass(frozen=True, slots=True)
class _EmptyBody:
    pass


def control(machine: StateMachine, method: str, path: str, body: bytes, now: float) -> Answer:
    """Carries out a request from the list above. Answers 400 to an invalid body, 404 to an unknown path or job."""
    subject, _, rest = path.removeprefix(PREFIX).partition("/")
    name, _, verb = rest.partition("/")
    route = f"{method} {subject}/{verb}" if rest else f"{method} {subject}"
    if route not in _ROUTES or (rest and name not in machine.jobs):
        return _answer(404, error=f"No such request or job: {method} {path}")
    shape, act = _ROUTES[route]
    try:
        act(machine, name, _parse(shape, body or b"{}"), now)
    except ValueError as error:
        return _answer(400, error=str(error))
    return _answer(200)


def _add_call_rule(machine: StateMachine, _name: str, call: _Call, _now: float) -> None:
    fault = Fault(_exception(call.error), call.takes_effect, call.delay_seconds)
    rule = CallRule(fault, call.operation, job=call.job, times=call.times, chance=call.chance)
    machine.fault_rules.calls.append(rule)


def _exception(error: _Error | Literal["no answer"] | None) -> Exception | None:
    if isinstance(error, _Error):
        return AwsError(error.code, error.message, error.http_status)
    return None if error is None else Unanswered()


def _add_event_rule(machine: StateMachine, _name: str, rule: EventRule, _now: float) -> None:
    machine.fault_rules.events.append(rule)


def _clear_rules(machine: StateMachine, _name: str, _body: _EmptyBody, _now: float) -> None:
    machine.fault_rules.clear()


def _set_shortage(machine: StateMachine, _name: str, shortage: _Shortage, now: float) -> None:
    back_at = inf if shortage.back_in_seconds is None else now + shortage.back_in_seconds
    fails_after_seconds = inf if shortage.fails_after_seconds is None else shortage.fails_after_seconds
    pool = CapacityPool(shortage.instance_type, shortage.spot, shortage.subnet)
    machine.set_shortage(pool, Shortage(back_at, fails_after_seconds), now)


def _set_quotas(machine: StateMachine, _name: str, quotas: Quotas, _now: float) -> None:
    machine.set_quotas(quotas)


def _set_unknowns(machine: StateMachine, _name: str, unknowns: Unknowns, _now: float) -> None:
    machine.set_unknowns(unknowns)


def _interrupt(machine: StateMachine, name: str, _body: _EmptyBody, now: float) -> None:
    machine.interrupt(name, now)


def _fail(machine: StateMachine, name: str, failure: _Failure, now: float) -> None:
    machine.report(name, RunFailed(failure.reason), now)


def _hang(machine: StateMachine, name: str, _body: _EmptyBody, _now: float) -> None:
    machine.hang(name)


def _release(machine: StateMachine, name: str, _body: _EmptyBody, now: float) -> None:
    machine.release(name, now)


_ROUTES: dict[str, tuple[type, Callable[[StateMachine, str, Any, float], None]]] = {
    "POST calls": (_Call, _add_call_rule),
    "POST events": (EventRule, _add_event_rule),
    "DELETE rules": (_EmptyBody, _clear_rules),
    "PUT capacity": (_Shortage, _set_shortage),
    "PUT quotas": (Quotas, _set_quotas),
    "PUT unknowns": (Unknowns, _set_unknowns),
    "POST jobs/interrupt": (_EmptyBody, _interrupt),
    "POST jobs/fail": (_Failure, _fail),
    "POST jobs/hang": (_EmptyBody, _hang),
    "POST jobs/release": (_EmptyBody, _release),
}


def _parse(shape: type, body: bytes) -> Any:
    try:
        json.loads(body, parse_float=_finite, parse_constant=_finite)
        return _adapter(shape).validate_json(body, strict=True, extra="forbid")
    except ValidationError as error:
        problems = ("{}: {}".format(".".join(map(str, problem["loc"])), problem["msg"]) for problem in error.errors())
        raise ValueError("; ".join(problems)) from error
    except RecursionError as error:
        raise ValueError("The body is nested too deeply") from error


@cache
def _adapter(shape: type) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is not a usable number")
    return number


def _answer(status: int, **content: str) -> Answer:
    return Answer(status, json.dumps(content).encode())
