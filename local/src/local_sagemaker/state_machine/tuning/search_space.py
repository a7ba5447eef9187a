"""Defines the hyperparameters that a tuning job searches: each maps a number in [0, 1) to a value of its range."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp, inf, log, prod
from typing import Any

# A range of Auto scaling is searched logarithmically if its bounds are positive and at least this factor apart.
_LOGARITHMIC_FROM = 100
# Autotune searches this factor around the example value of a number.
_AUTOTUNE_FACTOR = 10


@dataclass(frozen=True, slots=True)
class Dimension:
    name: str
    kind: str  # Integer, Continuous or Categorical
    count: float  # of different values
    value: Callable[[float], str]


def dimensions(ranges: dict[str, Any]) -> list[Dimension]:
    return [
        *(_integer(bounds) for bounds in ranges.get("IntegerParameterRanges", [])),
        *(_continuous(bounds) for bounds in ranges.get("ContinuousParameterRanges", [])),
        *(_categorical(choice["Name"], choice["Values"]) for choice in ranges.get("CategoricalParameterRanges", [])),
        *(_automatic(parameter) for parameter in ranges.get("AutoParameters", [])),
    ]


def combinations(searched: list[Dimension]) -> float:
    """Counts the combinations of values; infinity if a range is continuous."""
    return prod((dimension.count for dimension in searched), start=1)


def grid_point(searched: list[Dimension], number: int) -> dict[str, str]:
    """Returns one combination of categorical values. The last hyperparameter changes fastest."""
    point = {}
    for dimension in reversed(searched):
        number, index = divmod(number, int(dimension.count))
        point[dimension.name] = dimension.value((index + 0.5) / dimension.count)
    return {dimension.name: point[dimension.name] for dimension in searched}


def names_by_kind(ranges: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields the name and kind of each searched hyperparameter."""
    return ((dimension.name, dimension.kind) for dimension in dimensions(ranges))


def _integer(bounds: dict[str, str]) -> Dimension:
    low, high = int(bounds["MinValue"]), int(bounds["MaxValue"])
    scale = _scale(low, high + 1, bounds.get("ScalingType", "Auto"))
    return Dimension(bounds["Name"], "Integer", high - low + 1, lambda unit: str(min(high, int(scale(unit) // 1))))


def _continuous(bounds: dict[str, str]) -> Dimension:
    low, high = float(bounds["MinValue"]), float(bounds["MaxValue"])
    scale = _scale(low, high, bounds.get("ScalingType", "Auto"))
    count = 1 if low == high else inf
    return Dimension(bounds["Name"], "Continuous", count, lambda unit: repr(min(high, max(low, scale(unit)))))


def _categorical(name: str, values: list[str]) -> Dimension:
    return Dimension(name, "Categorical", len(values), lambda unit: values[int(unit * len(values))])


def _automatic(parameter: dict[str, str]) -> Dimension:
    """Chooses a range around the example value, because AWS does not document the choice of Autotune."""
    name, hint = parameter["Name"], parameter["ValueHint"]
    try:
        number = float(hint)
    except ValueError:
        return _categorical(name, [hint])
    low, high = sorted((number / _AUTOTUNE_FACTOR, number * _AUTOTUNE_FACTOR))
    if hint.lstrip("-").isdigit():
        return _integer({"Name": name, "MinValue": str(round(low)), "MaxValue": str(round(high))})
    return _continuous({"Name": name, "MinValue": str(low), "MaxValue": str(high)})


def _scale(low: float, high: float, scaling: str) -> Callable[[float], float]:
    if scaling == "Auto":
        scaling = "Logarithmic" if low > 0 and high / low >= _LOGARITHMIC_FROM else "Linear"
    if scaling == "Logarithmic":
        return lambda unit: exp(_between(log(low), log(high), unit))
    if scaling == "ReverseLogarithmic":
        return lambda unit: 1 - exp(_between(log(1 - low), log(1 - high), unit))
    return lambda unit: _between(low, high, unit)


def _between(low: float, high: float, unit: float) -> float:
    return low + (high - low) * unit
