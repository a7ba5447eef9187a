"""Converts parsed JSON to typed values, strictly: neither `"4"` nor `true` is a number."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import is_dataclass
from decimal import Decimal
from enum import StrEnum
from functools import partial
from operator import attrgetter, eq
from typing import Any, cast, get_args, get_origin
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cattrs import Converter
from cattrs.cols import is_mapping, mapping_structure_factory

from scheduler.core.sections.durations import Duration, format_duration, structure_duration

Hook = Callable[[Any, Any], Any]  # structures a value as a type


def check_field(path: str, condition: object, problem: str) -> None:
    """Raises ValueError for the field at this path unless the condition is true. Reports show it with its line."""
    if not condition:
        raise ValueError(path, problem)


class BadFields(ValueError):
    """Signals that several fields of an object have problems."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{path} {problem}" for path, problem in self.problems))


Check = Callable[[str, object, str], None]  # like check_field


@contextmanager
def checking_all_fields() -> Iterator[Check]:
    """Yields a function with the arguments of `check_field`.

    At the end, raises BadFields with the problems of all its calls.
    """
    problems: list[tuple[str, str]] = []

    def check(path: str, condition: object, problem: str) -> None:
        if not condition:
            problems.append((path, problem))

    yield check
    if problems:
        raise BadFields(problems)


def strict_converter(hooks: Mapping[Any, Hook]) -> Converter:
    """Returns a converter that refuses unknown members. `hooks` structure further types, but not their subclasses."""
    converter = Converter(forbid_extra_keys=True)
    add_factory = converter.register_structure_hook_factory
    add_factory(is_dataclass, lambda kind: _object(converter.gen_structure_attrs_fromdict(kind)))
    add_factory(is_mapping, lambda kind: _object(mapping_structure_factory(kind, converter)))
    numbers: dict[Any, Hook] = {int: _whole, float: _fraction, Decimal: _number}
    plain: dict[Any, Hook] = {str: _text, StrEnum: _choice, bool: _flag, ZoneInfo: _zone, **numbers}
    for kind, hook in plain.items():
        converter.register_structure_hook(kind, hook)
    converter.register_structure_hook_func(_is_tuple, partial(_list, converter))
    for kind, hook in {tuple[str, ...]: _texts, Duration: structure_duration, **hooks}.items():
        converter.register_structure_hook_func(partial(eq, kind), hook)
    converter.register_unstructure_hook_func(partial(eq, Duration), format_duration)
    converter.register_unstructure_hook(ZoneInfo, str)
    converter.register_unstructure_hook_func(partial(eq, re.Pattern[str]), attrgetter("pattern"))
    return converter


# The texts of errors name the expected value; `schema.py` adds the path.
def _object(structure: Hook) -> Hook:
    def structured(value: Any, kind: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError("must be an object")  # noqa: TRY004 - a problem of the section, reported like the others
        return structure(value, kind)

    return structured


def _text(value: Any, _: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be nonempty text")
    return value


def _whole(value: Any, _: object) -> int:
    if type(value) is not int:  # a bool is an int to isinstance
        raise ValueError("must be a whole number")
    return value


def _number(value: Any, _: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")  # noqa: TRY004 - a problem of the section, reported like the others
    return Decimal(str(value))


def _fraction(value: Any, kind: object) -> float:
    return float(_number(value, kind))


def _flag(value: Any, _: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")  # noqa: TRY004 - a problem of the section, reported like the others
    return value


def _zone(text: Any, _: object) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError) as error:
        raise ValueError("must be the name of a time zone such as Europe/Berlin or UTC") from error


def _texts(values: Any, _: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(text, str) and text.strip() for text in values):
        raise ValueError("must be a list of nonempty texts")
    return tuple(values)


def _choice(value: Any, choices: type[StrEnum]) -> StrEnum:
    try:
        return choices(value)
    except ValueError as error:
        raise ValueError(f"must be one of {', '.join(choices)}") from error


def _list(converter: Converter, values: Any, kind: Any) -> tuple[Any, ...]:
    if not isinstance(values, list):
        raise ValueError("must be a list")  # noqa: TRY004 - a problem of the section, reported like the others
    return tuple(converter.structure(values, cast(Any, list[get_args(kind)[0]])))  # type: ignore[misc]  # known at run time only


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple
