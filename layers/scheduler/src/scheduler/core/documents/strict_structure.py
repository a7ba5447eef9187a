"""Structures parsed JSON as values, with strict types: neither `"4"` nor `true` is a number.

The texts of errors name the expected value; document_reading adds the place.
"""

from collections.abc import Callable
from dataclasses import is_dataclass
from enum import StrEnum
from typing import Any, cast, get_args, get_origin

from cattrs import Converter
from cattrs.cols import is_mapping, mapping_structure_factory


def strict_converter() -> Converter:
    """Returns a converter that refuses unknown members.

    `structure` raises BaseValidationError, in which every problem has its place.
    """
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook_factory(
        is_dataclass, lambda kind: _object(converter.gen_structure_attrs_fromdict(kind))
    )
    converter.register_structure_hook_factory(
        is_mapping, lambda kind: _object(mapping_structure_factory(kind, converter))
    )
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(StrEnum, _choice)
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(bool, _flag)
    converter.register_structure_hook_func(_is_tuple, lambda values, kind: _list(converter, values, kind))
    converter.register_structure_hook_func(lambda kind: kind == tuple[str, ...], _texts)
    return converter


def _object(structure: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def structured(value: Any, kind: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError("must be an object")  # noqa: TRY004 - a problem of the document, reported like the others
        return structure(value, kind)

    return structured


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
        raise ValueError("must be true or false")  # noqa: TRY004 - a problem of the document, reported like the others
    return value


def _texts(values: Any, _: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(text, str) and text.strip() for text in values):
        raise ValueError("must be a list of texts, none of them empty")
    return tuple(values)


def _choice(value: Any, choices: type[StrEnum]) -> StrEnum:
    try:
        return choices(value)
    except ValueError as error:
        raise ValueError(f"must be one of {', '.join(choices)}") from error


def _list(converter: Converter, values: Any, kind: Any) -> tuple[Any, ...]:
    if not isinstance(values, list):
        raise ValueError("must be a list")  # noqa: TRY004 - a problem of the document, reported like the others
    return tuple(converter.structure(values, cast(Any, list[get_args(kind)[0]])))  # type: ignore[misc]  # known at run time only


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple
