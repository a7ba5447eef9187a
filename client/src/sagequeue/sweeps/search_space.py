"""Reads the parameters of a study file, and suggests their values for a trial."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sagequeue.documents.document import Member

if TYPE_CHECKING:  # Optuna is optional
    from optuna.trial import Trial

Suggest = Callable[["Trial"], object]
_KINDS = ("float", "int")
_EXAMPLE = "Write a list of values, or an object such as {low: 1e-5, high: 0.1, log: true}."


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the search space."""

    name: str
    suggest: Suggest


def read_parameter(name: str, member: Member) -> Parameter | None:
    """Returns the parameter; None if the file has a problem."""
    if isinstance(member.parts, list):
        return _choice(name, member)
    if isinstance(member.parts, dict):
        return _range(name, member)
    member.problem(f"is {member.shown()}. {_EXAMPLE}")
    return None


def _choice(name: str, member: Member) -> Parameter | None:
    values = [part.value for part in member.listed() if isinstance(part.value, str | int | float)]
    if not values or len(values) < len(member.listed()):
        member.problem(f"is {member.shown()}. Write a list of texts, numbers, true or false.")
        return None
    return Parameter(name, lambda trial: trial.suggest_categorical(name, values))


def _range(name: str, member: Member) -> Parameter | None:
    given = member.members(("low", "high", "type", "log", "step"), required=("low", "high"))
    kind, log = given["type"].one_of(_KINDS, "float"), given["log"].flag()
    found = {part: given[part].number() for part in ("low", "high", "step") if given[part].is_given}
    numbers = {part: number for part, number in found.items() if number is not None}
    if not {"low", "high"} <= numbers.keys() or len(numbers) < len(found):
        return None
    if problem := _problem(numbers, kind=kind, log=log):
        member.problem(problem)
        return None
    low, high, step = numbers["low"], numbers["high"], numbers.get("step")
    if kind == "int":
        return Parameter(name, lambda trial: trial.suggest_int(name, int(low), int(high), step=int(step or 1), log=log))
    return Parameter(name, lambda trial: trial.suggest_float(name, low, high, step=step, log=log))


def _problem(numbers: dict[str, float], *, kind: str, log: bool) -> str | None:
    low, high, step = numbers["low"], numbers["high"], numbers.get("step")
    if low > high:
        return f"has low {low:g} above high {high:g}. Swap them."
    if kind == "int" and any(number != int(number) for number in numbers.values()):
        return "has the type int, but a number with a fraction. Write whole numbers, or use the type float."
    if log and (low <= 0 or step is not None):
        return "has log: true. Use a low above 0, and no step."
    return f"has the step {step:g}. Use a step above 0." if step is not None and step <= 0 else None
