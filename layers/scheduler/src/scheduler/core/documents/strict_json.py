"""JSON text that means the same to every reader."""

import json
from math import isinf
from typing import Any


def loads(text: str | bytes) -> Any:
    """Raises ValueError (of an odd number, a text that is none, a member that is there twice) or RecursionError."""
    return _text_only(
        json.loads(text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_without_twins)
    )


def loads_with_twins(text: str) -> Any:
    """The same, but the last of two members of one name is taken, as most readers do."""
    return _text_only(json.loads(text, parse_constant=_refuse_constant, parse_float=_finite))


def _text_only(document: Any) -> Any:
    json.dumps(document, ensure_ascii=False).encode()  # refuses half a surrogate pair
    return document


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ValueError(f"{text[:20]} is beyond all numbers")
    return number


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{max(names, key=names.count)[:100]} is there twice")
    return document
