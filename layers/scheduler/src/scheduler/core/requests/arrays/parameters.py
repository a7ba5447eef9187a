"""Reads the parameters of an array: a matrix (each combination is a child) or a list (each set is a child)."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from scheduler.errors.refusals import bad_field, shortened, shown

#: A child's own number, which every request template may use.
INDEX = "index"
MOST_CHILDREN = 10_000
MOST_PARAMETERS = 20
#: The most bytes that all children's values may take in the table's records. A matrix repeats each value many times.
MOST_BYTES = 8 * 1024 * 1024
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
_FIELD = "parameters"
_EXAMPLE = 'Use a matrix such as {"lr": [0.1, 0.01]}, or a list such as [{"lr": 0.1}, {"lr": 0.01}].'

#: The values of one child's parameters, as texts, in the order of their names.
Values = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParameterSets:
    """The parameters of all children. Child n has the values `sets[n]`."""

    names: tuple[str, ...]
    sets: tuple[Values, ...]

    def of(self, index: int) -> dict[str, str]:
        """Returns the values of a child by name, with its index."""
        return values_by_name(self.names, self.sets[index], index)


def values_by_name(names: Sequence[str], values: Sequence[str], index: int) -> dict[str, str]:
    return {**dict(zip(names, values, strict=True)), INDEX: str(index)}


def read_parameters(given: object) -> ParameterSets:
    """Returns the sets that a matrix or a list describes. Raises BadRequest."""
    if isinstance(given, dict):
        return _matrix(given)
    if isinstance(given, list):
        return _list(given)
    raise bad_field(_FIELD, f"is {shown(given)}, neither an object nor a list", _EXAMPLE)


def _matrix(given: Mapping[str, object]) -> ParameterSets:
    names = _names(given)
    columns = []
    for name in names:
        values = given[name]
        if not isinstance(values, list) or not values:
            raise bad_field(f"{_FIELD}.{name}", f"is {shown(values)}, not a list with values", _EXAMPLE)
        columns.append([_text(value, f"{_FIELD}.{name}[{number}]") for number, value in enumerate(values)])
    count = prod(map(len, columns))
    _refuse_too_many(count)
    _refuse_too_large(sum(count // len(column) * len(json.dumps(column)) for column in columns))
    return ParameterSets(names, tuple(product(*columns)))


def _list(given: Sequence[object]) -> ParameterSets:
    _refuse_too_many(len(given))
    first = given[0]
    if not isinstance(first, dict):
        raise bad_field(f"{_FIELD}[0]", f"is {shown(first)}, not an object", _EXAMPLE)
    names, sets = _names(first), []
    for number, values in enumerate(given):
        path = f"{_FIELD}[{number}]"
        if not isinstance(values, dict) or values.keys() != first.keys():
            raise bad_field(path, "does not have the same names as the first set", f"Give each set {', '.join(names)}.")
        sets.append(tuple(_text(values[name], f"{path}.{name}") for name in names))
    return ParameterSets(names, tuple(sets))


def _names(given: Mapping[str, object]) -> tuple[str, ...]:
    if not 1 <= len(given) <= MOST_PARAMETERS:
        raise bad_field(_FIELD, f"has {len(given)} parameters", f"Use 1 to {MOST_PARAMETERS} of them.")
    for name in given:
        if not _NAME.fullmatch(name) or name == INDEX:
            problem = "is reserved for the child's number" if name == INDEX else "is not a valid parameter name"
            raise bad_field(f"{_FIELD}.{shortened(name)}", problem, "Use letters, digits and _, but not index.")
    return tuple(given)


def _text(value: object, path: str) -> str:
    match value:
        case str():
            return value
        case bool() | int() | float():
            return json.dumps(value)
    raise bad_field(path, f"is {shown(value)}", "Use a text, a number, true or false.")


def _refuse_too_large(size: int) -> None:
    if size > MOST_BYTES:
        remedy = f"Use at most {MOST_BYTES}: shorter values, such as the locations of files in S3, or fewer jobs."
        raise bad_field(_FIELD, f"describes {size} bytes of values", remedy)


def _refuse_too_many(count: int) -> None:
    if not 1 <= count <= MOST_CHILDREN:
        raise bad_field(_FIELD, f"describes {count} jobs", f"Describe 1 to {MOST_CHILDREN} jobs.")
