"""Injects faults: calls that fail, hang or get no answer, and events that are lost, duplicated or late."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import count
from math import inf
from random import Random
from typing import Any, TypeVar

from local_sagemaker.state_machine.commands import StateChanged

_NAMES = ("TrainingJobName", "HyperParameterTuningJobName", "ProcessingJobName")
_STATUSES = ("SecondaryStatus", "HyperParameterTuningJobStatus", "ProcessingJobStatus")


class Unanswered(Exception):
    """The connection ends, and the caller never learns the outcome of the call."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The fault of one call."""

    error: Exception | None = None  # instead of an answer: AwsError, Unanswered, in a simulation also one of botocore's
    takes_effect: bool = False  # the call takes effect although it ends in the error
    delay_seconds: float = 0.0  # before the caller gets the answer


NO_FAULT = Fault()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """Selects calls or events. `*` in a name matches anything."""

    job: str = "*"
    times: int | None = None  # the rule is removed after it has applied this often; None: never
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class CallRule(_Rule):
    fault: Fault
    operation: str = "*"


@dataclass(frozen=True, slots=True)
class EventRule(_Rule):
    """An event arrives once per entry, delayed by its seconds: () loses it, (0, 0) duplicates it, (600,) delays it."""

    arrives_after: tuple[float, ...]
    new_ids: bool = False  # each copy has a new id
    secondary_status: str = "*"


_AnyRule = TypeVar("_AnyRule", CallRule, EventRule)


class FaultRules:
    """The current rules. The first matching rule applies."""

    def __init__(self, chance: Random) -> None:
        self._random = chance
        self.calls: list[CallRule] = []
        self.events: list[EventRule] = []

    def fault_of(self, operation: str, request: object) -> Fault:
        job = _name_in(request) if isinstance(request, dict) else ""
        for index, rule in enumerate(self.calls):
            if fnmatchcase(operation, rule.operation) and self._applies(rule, job):
                _use_up(self.calls, index, rule)
                return rule.fault
        return NO_FAULT

    def deliveries_of(self, event: dict[str, Any]) -> list[tuple[float, dict[str, Any]]]:
        """Lists the copies of the event to deliver, each with its delay in seconds."""
        detail = event["detail"]
        for index, rule in enumerate(self.events):
            status = next(detail[name] for name in _STATUSES if name in detail)
            if fnmatchcase(status, rule.secondary_status) and self._applies(rule, _name_in(detail)):
                _use_up(self.events, index, rule)
                return [(delay, self._copy(event, number, rule)) for number, delay in enumerate(rule.arrives_after)]
        return [(0.0, event)]

    def clear(self) -> None:
        self.calls.clear()
        self.events.clear()

    def _applies(self, rule: _Rule, job: str) -> bool:
        return fnmatchcase(job, rule.job) and (rule.chance >= 1 or self._random.random() < rule.chance)

    def _copy(self, event: dict[str, Any], number: int, rule: EventRule) -> dict[str, Any]:
        if number == 0 or not rule.new_ids:
            return event
        return event | {"id": f"{self._random.getrandbits(128):032x}"}


class EventQueue:
    """The events for EventBridge. Most are sent at once; a rule may delay, lose or duplicate an event."""

    def __init__(self, rules: FaultRules) -> None:
        self._rules = rules
        self._delayed: list[tuple[float, int, dict[str, Any]]] = []
        self._numbers = count()

    def post(self, event: dict[str, Any], now: float) -> Iterator[StateChanged]:
        """Yields the copies to send at once, and stores the delayed copies."""
        for delay, copy in self._rules.deliveries_of(event):
            if delay <= 0:
                yield StateChanged(copy)
            else:
                heapq.heappush(self._delayed, (now + delay, next(self._numbers), copy))

    def next_due(self) -> float:
        return self._delayed[0][0] if self._delayed else inf

    def take_due(self, now: float) -> Iterator[StateChanged]:
        while self.next_due() <= now:
            yield StateChanged(heapq.heappop(self._delayed)[2])


def _name_in(content: dict[str, Any]) -> str:
    """Returns the name of the job in a request or in the detail of an event."""
    return str(next((content[name] for name in _NAMES if name in content), ""))


def _use_up(rules: list[_AnyRule], index: int, rule: _AnyRule) -> None:
    if rule.times is None:
        return
    if rule.times <= 1:
        del rules[index]
    else:
        rules[index] = replace(rule, times=rule.times - 1)
