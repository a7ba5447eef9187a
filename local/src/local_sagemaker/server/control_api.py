"""Faults on demand over HTTP, beside SageMaker's own protocol: what tests do to a World in Python, below /_control/.

POST   calls                  a rule for calls that fail, hang or come late
POST   events                 a rule for events that are lost, doubled or late
DELETE rules                  forgets all rules
PUT    capacity               of an instance type, perhaps spot only or in one subnet: there is none for a time
PUT    quotas                 in place of those before
PUT    unknowns               what AWS does not document, one way or the other; in place of those before
POST   jobs/<name>/interrupt  the spot instances go now
POST   jobs/<name>/fail       for a reason of the service's
POST   jobs/<name>/hang       what its work comes to is not noticed ...
POST   jobs/<name>/let-go     ... until now
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
from local_sagemaker.state_machine.capacity import Place, Shortage
from local_sagemaker.state_machine.commands import Broke
from local_sagemaker.state_machine.fault_injection import CallRule, EventRule, Fault, Unanswered
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR
from local_sagemaker.state_machine.limits import Quotas
from local_sagemaker.state_machine.machine import World

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
    back_in_seconds: float | None  # null: until it is said otherwise
    spot: bool | None = None  # null: neither spot nor on demand
    subnet: str | None = None  # null: nowhere
    fails_after_seconds: float | None = None  # null: jobs wait as long as they may


@dataclass(frozen=True, slots=True)
class _Failure:
    reason: str = INTERNAL_ERROR


@dataclass(frozen=True, slots=True)
class _Nothing:
    pass


def control(world: World, method: str, path: str, body: bytes, now: float) -> Answer:
    """Does one of the above. What it does not understand it refuses with 400, an unknown path or job with 404."""
    subject, _, rest = path.removeprefix(PREFIX).partition("/")
    name, _, verb = rest.partition("/")
    route = f"{method} {subject}/{verb}" if rest else f"{method} {subject}"
    if route not in _ROUTES or (rest and name not in world.jobs):
        return _answer(404, error=f"there is no {method} {path}")
    shape, act = _ROUTES[route]
    try:
        act(world, name, _parse(shape, body or b"{}"), now)
    except ValueError as error:
        return _answer(400, error=str(error))
    return _answer(200)


def _add_call_rule(world: World, _name: str, call: _Call, _now: float) -> None:
    fault = Fault(_exception(call.error), call.takes_effect, call.delay_seconds)
    rule = CallRule(fault, call.operation, job=call.job, times=call.times, chance=call.chance)
    world.mischief.calls.append(rule)


def _exception(error: _Error | Literal["no answer"] | None) -> Exception | None:
    if isinstance(error, _Error):
        return AwsError(error.code, error.message, error.http_status)
    return None if error is None else Unanswered()


def _add_event_rule(world: World, _name: str, rule: EventRule, _now: float) -> None:
    world.mischief.events.append(rule)


def _forget_rules(world: World, _name: str, _body: _Nothing, _now: float) -> None:
    world.mischief.clear()


def _shorten(world: World, _name: str, told: _Shortage, now: float) -> None:
    back_at = inf if told.back_in_seconds is None else now + told.back_in_seconds
    patience_seconds = inf if told.fails_after_seconds is None else told.fails_after_seconds
    place = Place(told.instance_type, told.spot, told.subnet)
    world.shorten(place, Shortage(back_at, patience_seconds), now)


def _limit(world: World, _name: str, quotas: Quotas, _now: float) -> None:
    world.limit(quotas)


def _suppose(world: World, _name: str, unknowns: Unknowns, _now: float) -> None:
    world.suppose(unknowns)


def _interrupt(world: World, name: str, _body: _Nothing, now: float) -> None:
    world.interrupt(name, now)


def _fail(world: World, name: str, failure: _Failure, now: float) -> None:
    world.report(name, Broke(failure.reason), now)


def _hang(world: World, name: str, _body: _Nothing, _now: float) -> None:
    world.hang(name)


def _let_go(world: World, name: str, _body: _Nothing, now: float) -> None:
    world.let_go(name, now)


_ROUTES: dict[str, tuple[type, Callable[[World, str, Any, float], None]]] = {
    "POST calls": (_Call, _add_call_rule),
    "POST events": (EventRule, _add_event_rule),
    "DELETE rules": (_Nothing, _forget_rules),
    "PUT capacity": (_Shortage, _shorten),
    "PUT quotas": (Quotas, _limit),
    "PUT unknowns": (Unknowns, _suppose),
    "POST jobs/interrupt": (_Nothing, _interrupt),
    "POST jobs/fail": (_Failure, _fail),
    "POST jobs/hang": (_Nothing, _hang),
    "POST jobs/let-go": (_Nothing, _let_go),
}


def _parse(shape: type, body: bytes) -> Any:
    try:
        json.loads(body, parse_float=_finite, parse_constant=_finite)
        return _adapter(shape).validate_json(body, strict=True, extra="forbid")
    except ValidationError as error:
        problems = ("{}: {}".format(".".join(map(str, each["loc"])), each["msg"]) for each in error.errors())
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
