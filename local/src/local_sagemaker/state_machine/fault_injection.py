"""What goes wrong on demand: calls that fail, hang or are never answered, and events that are lost, doubled or late."""

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from random import Random
from typing import Any, TypeVar


class Unanswered(Exception):
    """The connection ends, and the caller never learns what became of the call."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What becomes of one call."""

    error: Exception | None = None  # instead of an answer: AwsError, Unanswered, in a simulation also one of botocore's
    takes_effect: bool = False  # the call is carried out although it ends in the error
    delay_seconds: float = 0.0  # until the caller hears of it


NO_FAULT = Fault()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """Which calls or events it is about. `*` in a name stands for anything."""

    job: str = "*"
    times: int | None = None  # so many, then the rule is used up; None: all
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class CallRule(_Rule):
    fault: Fault
    operation: str = "*"


@dataclass(frozen=True, slots=True)
class EventRule(_Rule):
    """An event arrives once per entry, so many seconds late: () loses it, (0, 0) doubles it, (600,) is overtaken."""

    arrives_after: tuple[float, ...]
    new_ids: bool = False  # its repetitions have ids of their own
    secondary_status: str = "*"


_AnyRule = TypeVar("_AnyRule", CallRule, EventRule)


class Mischief:
    """The rules that are in force. The first that fits decides."""

    def __init__(self, chance: Random) -> None:
        self._random = chance
        self.calls: list[CallRule] = []
        self.events: list[EventRule] = []

    def of_call(self, operation: str, request: object) -> Fault:
        job = str(request.get("TrainingJobName", "")) if isinstance(request, dict) else ""
        for index, rule in enumerate(self.calls):
            if fnmatchcase(operation, rule.operation) and self._applies(rule, job):
                _use_up(self.calls, index, rule)
                return rule.fault
        return NO_FAULT

    def of_event(self, event: dict[str, Any]) -> list[tuple[float, dict[str, Any]]]:
        """What is delivered of it, and how many seconds late."""
        detail = event["detail"]
        for index, rule in enumerate(self.events):
            is_meant = fnmatchcase(detail["SecondaryStatus"], rule.secondary_status)
            if is_meant and self._applies(rule, detail["TrainingJobName"]):
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


def _use_up(rules: list[_AnyRule], index: int, rule: _AnyRule) -> None:
    if rule.times is None:
        return
    if rule.times <= 1:
        del rules[index]
    else:
        rules[index] = replace(rule, times=rule.times - 1)
