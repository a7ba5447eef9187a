"""SageMaker's words about a request, without the values of it that may be secret.

Its refusals quote what they refuse, and a refusal becomes the reason of a job, which others may read.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_PLACES = ("HyperParameters", "Environment")
# Validation quotes whole maps of environment variables and hyperparameters, and a long text is cut off within them.
_QUOTED = re.compile(r"(?<=Value )'(.*?'(?= at '[^']*' failed to satisfy constraint)|.*)", re.DOTALL)
#: A shorter value is no secret, and is part of words and numbers that mean something else.
_SHORTEST = 6


def redacted(text: str, request: Mapping[str, Any]) -> str:
    """With … in place of each value of the request's hyperparameters and environment, and of all that is quoted."""
    for value in sorted(_values(request), key=len, reverse=True):
        text = text.replace(value, "…")
    return _QUOTED.sub("'…'", text)


def _values(request: Mapping[str, Any]) -> Iterator[str]:
    for place in _PLACES:
        yield from (value for value in request.get(place, {}).values() if len(value) >= _SHORTEST)
