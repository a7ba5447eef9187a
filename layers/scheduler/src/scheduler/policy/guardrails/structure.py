"""Parsed JSON as Rules: strict about types, for `"4"` and `true` are no numbers to whoever reads the document."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast, get_args, get_origin

from cattrs import Converter

from scheduler.policy.guardrails import access, capacity, isolation, priority, tags  # noqa: F401 - they register kinds
from scheduler.policy.guardrails.rule import KINDS, Rule
from scheduler.policy.guardrails.rules import Rules

_MAX_PATTERN = 256


def structured(document: Mapping[str, Any]) -> Rules:
    """Raises cattrs' BaseValidationError, in which every problem carries its place."""
    return _converter.structure(document, Rules)


def _rule(values: Any, _: object) -> Rule:
    if not isinstance(values, dict):
        raise ValueError("must be an object")  # noqa: TRY004 - a problem of the document, told like the others
    known = KINDS.get(str(values.get("kind")))
    if known is None:
        raise ValueError("kind", f"must be one of {', '.join(sorted(KINDS))}")
    return _converter.structure({key: value for key, value in values.items() if key != "kind"}, known)


def _pattern(text: Any, _: object) -> re.Pattern[str]:
    if not isinstance(text, str) or len(text) > _MAX_PATTERN:
        raise ValueError(f"must be a regular expression of at most {_MAX_PATTERN} characters")
    try:
        return re.compile(text)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from error


def _moment(text: Any, _: object) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise ValueError("must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _text(value: Any, _: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be text, and not empty")
    return value


def _whole(value: Any, _: object) -> int:
    if type(value) is not int:  # a bool is an int to isinstance
        raise ValueError("must be a whole number")
    return value


def _flag(value: Any, _: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")  # noqa: TRY004 - a problem of the document, told like the others
    return value


def _texts(values: Any, _: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(one, str) and one.strip() for one in values):
        raise ValueError("must be a list of texts, none of them empty")
    return tuple(values)


def _choice(value: Any, choices: type[StrEnum]) -> StrEnum:
    try:
        return choices(value)
    except ValueError as error:
        raise ValueError(f"must be one of {', '.join(choices)}") from error


def _list(values: Any, kind: Any) -> tuple[Any, ...]:
    if not isinstance(values, list):
        raise ValueError("must be a list")  # noqa: TRY004 - a problem of the document, told like the others
    return tuple(_converter.structure(values, cast(Any, list[get_args(kind)[0]])))  # type: ignore[misc]  # known at run time only


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _make_converter() -> Converter:
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(StrEnum, _choice)
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(bool, _flag)
    converter.register_structure_hook(datetime, _moment)
    converter.register_structure_hook_func(lambda kind: kind is Rule, _rule)  # its subclasses are read as usual
    converter.register_structure_hook_func(lambda kind: kind == re.Pattern[str], _pattern)
    converter.register_structure_hook_func(_is_tuple, _list)
    converter.register_structure_hook_func(lambda kind: kind == tuple[str, ...], _texts)
    return converter


_converter = _make_converter()
