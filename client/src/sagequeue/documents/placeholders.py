"""Finds and fills the placeholders in a request, such as `${lr}`."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

#: The placeholder for the number of the trial or the array's job. Every request may use it.
INDEX = "index"
_PLACEHOLDER = re.compile(r"\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
#: The members whose texts may have placeholders in an array, besides S3 paths.
_PLACES = re.compile(
    r"(HyperParameters|Environment)\.|Tags\[\d+\]\.Value|AlgorithmSpecification\.Container(Arguments|Entrypoint)\["
)
_MODEL = re.compile(r"\$\{jobs\.([^}.]*)\.model\}")


def placeholders_in(request: Any) -> Iterator[str]:
    """Yields the names in the placeholders of a request. `$${lr}` is an escape for the literal text `${lr}`."""
    for _, text in _texts(request):
        yield from (found[1] for found in _PLACEHOLDER.finditer(text) if not found[0].startswith("$$"))


def misplaced_in(request: Any) -> Iterator[str]:
    """Yields the members of an array's request in which the queue refuses a placeholder."""
    for path, text in _texts(request):
        if _PLACEHOLDER.search(text) and not (text.startswith("s3://") or _PLACES.match(path)):
            yield path


def filled(request: Mapping[str, Any], values: Mapping[str, object]) -> dict[str, Any]:
    """Returns the request with its placeholders replaced by the values."""

    def fill(found: re.Match[str]) -> str:
        return found[0][1:] if found[0].startswith("$$") else _text(values[found[1]])

    result: dict[str, Any] = _mapped(request, lambda text: _PLACEHOLDER.sub(fill, text))
    return result


def models_in(request: Any) -> Iterator[str]:
    """Yields the names of the jobs whose models a request or its options use, such as prep in `${jobs.prep.model}`."""
    for _, text in _texts(request):
        yield from (found[1] for found in _MODEL.finditer(text))


def with_models(request: Mapping[str, Any], model_of: Callable[[str], str]) -> dict[str, Any]:
    """Returns the request, or its options, with the placeholders for models replaced by other texts."""
    result: dict[str, Any] = _mapped(request, lambda text: _MODEL.sub(lambda found: model_of(found[1]), text))
    return result


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yields each text in the value, with its path, such as `Tags[0].Value`."""
    match value:
        case str():
            yield path, value
        case dict():
            for name, member in value.items():
                yield from _texts(member, f"{path}.{name}" if path else name)
        case list():
            for number, member in enumerate(value):
                yield from _texts(member, f"{path}[{number}]")


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case dict():
            return {name: _mapped(member, change) for name, member in value.items()}
        case list():
            return [_mapped(member, change) for member in value]
    return value
