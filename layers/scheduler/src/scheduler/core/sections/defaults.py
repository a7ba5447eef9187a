"""Adds the members that a section omits, with their defaults, at every level."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from decimal import Decimal
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from cattrs import Converter


@dataclass(frozen=True, slots=True)
class Defaults:
    """Adds the defaults of dataclasses, except `opaque` dataclasses, whose members do not depend on their class alone.

    Adds no members to other objects, because operators choose the keys there. Leaves out members without a default.
    """

    converter: Converter
    opaque: frozenset[Any]

    def over(self, content: Any, shape: Any) -> Any:
        """Returns the plain content of this shape, completed with the defaults of its members."""
        match content:
            case dict() if isinstance(shape, type) and is_dataclass(shape) and shape not in self.opaque:
                return self._members(content, shape)
            case dict() if get_origin(shape) in {dict, Mapping}:
                return {key: self.over(value, get_args(shape)[1]) for key, value in content.items()}
            case list() if get_origin(shape) is tuple:
                return [self.over(value, get_args(shape)[0]) for value in content]
            case _:
                return content

    def _members(self, content: Mapping[str, Any], shape: type) -> dict[str, Any]:
        defaults, types = _defaults(shape, self.converter), _types(shape)
        named = {name: content.get(name, defaults.get(name)) for name in (*types, *content)}
        return {name: self.over(value, types.get(name)) for name, value in named.items() if value is not None}


@cache
def _types(shape: Any) -> Mapping[str, Any]:
    hints = get_type_hints(shape, include_extras=True)
    return {field.name: hints[field.name] for field in fields(shape)}


@cache
def _defaults(shape: Any, converter: Converter) -> Mapping[str, Any]:
    """Returns the default of each member that has one, as plain data."""
    types, found = _types(shape), {}
    for field in fields(shape):
        value = field.default if field.default_factory is MISSING else field.default_factory()
        if value is not MISSING:
            found[field.name] = _plain(converter.unstructure(value, types[field.name]))
    return found


def _plain(content: Any) -> Any:
    """Returns the content with the types that a file would give: lists for tuples, and floats for decimals."""
    match content:
        case dict():
            return {key: _plain(value) for key, value in content.items()}
        case list() | tuple():
            return [_plain(value) for value in content]
        case Decimal():
            return float(content)
        case _:
            return content
