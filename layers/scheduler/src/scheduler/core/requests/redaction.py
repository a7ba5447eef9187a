"""Removes a request's values, maybe secret, from SageMaker's messages, which become reasons that others may read."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_SECRET_MEMBERS = ("HyperParameters", "Environment")
# Validation quotes whole maps of environment variables and hyperparameters, and a long text may end within them.
_QUOTED = re.compile(r"(?<=Value )'(.*?'(?= at '[^']*' failed to satisfy constraint)|.*)", re.DOTALL)
#: A shorter value is no secret, and occurs in unrelated words and numbers.
_SHORTEST = 6


def redacted(text: str, request: Mapping[str, Any]) -> str:
    """Replaces each value of the request's hyperparameters and environment, and every quotation, by …."""
    for value in sorted(_values(request), key=len, reverse=True):
        text = text.replace(value, "…")
    return _QUOTED.sub("'…'", text)


def _values(request: Mapping[str, Any]) -> Iterator[str]:
    for member in _SECRET_MEMBERS:
        yield from (value for value in request.get(member, {}).values() if len(value) >= _SHORTEST)
