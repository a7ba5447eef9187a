"""Parses and formats durations as people write them, such as `5m` or `1h30m`. In code they are whole seconds."""

import re
from typing import Annotated, Any

#: A duration in seconds. `strict_converter` reads it from text, using `structure_duration`.
Duration = Annotated[int, "a duration in seconds"]

#: Ten years. The limit ensures that a time plus a duration is a time that Python can represent.
LONGEST_DURATION = 520 * 7 * 86_400

_UNITS = {"w": 7 * 86_400, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
#: Matches the text of a duration. It also matches an empty text, which is not a duration.
DURATION = re.compile("".join(f"(?:([0-9]{{1,9}}){unit})?" for unit in _UNITS))
_EXPECTED = "must be a duration such as 90s, 5m, 1h30m, 2d or 1w"


def parse_duration(text: Any) -> int:
    """Returns the duration in seconds. Raises ValueError, which suggests the right text if only the unit is missing."""
    if type(text) is int or (isinstance(text, str) and re.fullmatch("[0-9]{1,9}", text)):
        raise ValueError(_EXPECTED + _remedy(int(text)))
    amounts = DURATION.fullmatch(text) if isinstance(text, str) and text else None
    if amounts is None:
        raise ValueError(_EXPECTED)
    seconds = sum(int(amount or 0) * unit for amount, unit in zip(amounts.groups(), _UNITS.values(), strict=True))
    if seconds > LONGEST_DURATION:
        raise ValueError(f"must be at most {format_duration(LONGEST_DURATION)}")
    return seconds


def format_duration(seconds: int) -> str:
    """Returns the text of the duration, in the largest units that express it: `1h30m` for 5,400."""
    parts = []
    for unit, length in _UNITS.items():
        amount, seconds = divmod(seconds, length)
        parts.append(f"{amount}{unit}" if amount else "")
    return "".join(parts) or "0s"


def structure_duration(value: Any, _: object) -> int:
    """Parses a member of the type Duration. It is a hook for `strict_converter`."""
    return parse_duration(value)


def _remedy(number: int) -> str:
    if not 0 <= number <= LONGEST_DURATION:
        return ""
    return f": {number} has no unit; write {format_duration(number)}"
