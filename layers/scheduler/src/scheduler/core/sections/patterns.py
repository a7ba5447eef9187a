"""Compiles the regular expressions in sections."""

import re
from collections.abc import Mapping
from typing import Any

from scheduler.core.sections.strict_structure import Hook

_MOST_CHARACTERS = 256


def _pattern(text: Any, _: object) -> re.Pattern[str]:
    if not isinstance(text, str) or len(text) > _MOST_CHARACTERS:
        raise ValueError(f"must be a regular expression of at most {_MOST_CHARACTERS} characters")
    try:
        return re.compile(text)
    except re.error as error:
        raise ValueError(f"is not a regular expression: {error}") from error


#: The hook for schemas that contain regular expressions.
PATTERNS: Mapping[Any, Hook] = {re.Pattern[str]: _pattern}
