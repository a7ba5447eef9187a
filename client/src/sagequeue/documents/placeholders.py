"""Finds and fills the placeholders in a request, such as `${lr}`."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

#: The placeholder for the number of the trial or the array's job. Every request may use it.
INDEX = "index"
_PLACEHOLDER = re.compile(r"\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_MODEL = re.compile(r"\$\{jobs\.([^}.]*)\.model\}")


def placeholders_in(request: Any) -> Iterator[str]:
    """Yields the names in the placeholders of a request. `$${lr}` is an escape for the literal text `${lr}`."""
    for text in _texts(request):
        yield from (found[1] for found in _PLACEHOLDER.finditer(text) if not found[0].startswith("$$"))


def filled(request: Mapping[str, Any], values: Mapping[str, object]) -> dict[str, Any]:
    """Returns the request with its placeholders replaced by the values."""

    def fill(found: re.Match[str]) -> str:
        return found[0][1:] if found[0].startswith("$$") else _text(values[found[1]])

    result: dict[str, Any] = _mapped(request, lambda text: _PLACEHOLDER.sub(fill, text))
    return result


def models_in(request: Any) -> Iterator[str]:
    """Yields the names of the jobs whose models a request uses: `${jobs.prep.model}` is the model of prep."""
    for text in _texts(request):
        yield from (found[1] for found in _MODEL.finditer(text))


def with_models(request: Mapping[str, Any], model_of: Callable[[str], str]) -> dict[str, Any]:
    """Returns the request with its placeholders for models replaced by other texts."""
    result: dict[str, Any] = _mapped(request, lambda text: _MODEL.sub(lambda found: model_of(found[1]), text))
    return result


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for member in value.values():
                yield from _texts(member)
        case list():
            for member in value:
                yield from _texts(member)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case dict():
            return {name: _mapped(member, change) for name, member in value.items()}
        case list():
            return [_mapped(member, change) for member in value]
    return value
