"""Finds and changes texts anywhere in a request, with their paths."""

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Any

Path = tuple[str | int, ...]

_PLACEHOLDER = "${"  # the beginning of every placeholder


def field_of(path: Path) -> str:
    """Returns the path in the form that refusals show, such as `Tags[0].Value`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def texts_in(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yields each text in the value, with its path."""
    match value:
        case str():
            yield path, value
        case Mapping():
            for name, member in value.items():
                yield from texts_in(member, (*path, name))
        case list():
            for number, member in enumerate(value):
                yield from texts_in(member, (*path, number))


def with_filled_placeholders(request: Mapping[str, Any], fill: Callable[[Path, str], str]) -> dict[str, Any]:
    """Returns the request after `fill` has been applied to each text with the beginning of a placeholder."""
    filled: dict[str, Any] = _filled(request, (), fill)
    return filled


def with_texts(request: Mapping[str, Any], texts: Mapping[Path, str]) -> dict[str, Any]:
    """Returns the request with other texts at these paths. The copy shares all other members with the request."""
    changed = {**request}
    for path, text in texts.items():
        _put(changed, path, text)
    return changed


def _filled(value: Any, path: Path, fill: Callable[[Path, str], str]) -> Any:
    match value:
        case str():
            return fill(path, value) if _PLACEHOLDER in value else value
        case Mapping():
            return {name: _filled(member, (*path, name), fill) for name, member in value.items()}
        case list():
            return [_filled(member, (*path, number), fill) for number, member in enumerate(value)]
    return value


def _put(copied: Any, path: Path, text: str) -> None:
    """Puts the text at the path, and copies each member along the path."""
    first, *rest = path
    if rest:
        copied[first] = copy(copied[first])
        _put(copied[first], tuple(rest), text)
    else:
        copied[first] = text
