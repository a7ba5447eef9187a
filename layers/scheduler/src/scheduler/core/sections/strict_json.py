"""Parses JSON strictly, so that every reader understands a text the same way."""

import json
from math import isinf
from typing import Any


def loads(text: str | bytes, *, allow_duplicates: bool = False) -> Any:
    """Parses JSON. Raises RecursionError, or ValueError for NaN, infinity, a lone surrogate or a duplicate member."""
    # If duplicate members are allowed, the last one counts, as with most readers.
    pairs_hook = dict if allow_duplicates else _without_duplicates
    document = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=pairs_hook)
    json.dumps(document, ensure_ascii=False).encode()  # refuses half a surrogate pair
    return document


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ValueError(f"{text[:20]} is too large for a number")
    return number


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{max(names, key=names.count)[:100]} is given twice")
    return document
