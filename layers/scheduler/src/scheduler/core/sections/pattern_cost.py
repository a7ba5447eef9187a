"""Limits how long a regular expression can take, since Python backtracks through every way to match.

Matching has no time limit, and for a pattern such as `(a+)+b` there are texts that take practically forever.
"""

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from math import prod
from typing import Any

#: Takes a few milliseconds. Enough for one `*` anywhere in 1,024 characters, or for two in a tag's whole value.
MOST_WAYS = 2**21

# Only this private module of Python parses patterns into their parts.
_PARSER = "re._parser"  # imported by name when needed, since a later Python may lack it


class NotCountable(Exception):
    """The ways to match cannot be counted, because this version of Python parses the pattern in an unknown way."""


_TOO_SLOW = (
    "could take too long to match: use fewer * and +, do not nest them, or use bounds such as {1,8}"
    " (two * in a tag's pattern, or one in a failure's pattern, are always allowed)"
)


def slowness_to_match(pattern: re.Pattern[str], length: int) -> str | None:
    """Returns a problem if the pattern may be too slow to match with a user's text of this length; otherwise None."""
    return _slowness(ways_to_match, pattern, length)


def slowness_to_find(pattern: re.Pattern[str], length: int) -> str | None:
    """Returns a problem if the pattern may be too slow to find in a user's text of this length; otherwise None."""
    return _slowness(ways_to_find, pattern, length)


def _slowness(count: Callable[[re.Pattern[str], int], int], pattern: re.Pattern[str], length: int) -> str | None:
    try:
        return _TOO_SLOW if count(pattern, length) > MOST_WAYS else None
    except NotCountable:
        return "cannot be checked with this version of Python: leave it out until a later release"


def ways_to_match(pattern: re.Pattern[str], length: int) -> int:
    """Returns an upper bound on the ways to match a whole text of this length, capped at MOST_WAYS + 1."""
    try:
        return _of_all(import_module(_PARSER).parse(pattern.pattern, pattern.flags), length)
    except (ImportError, AttributeError, TypeError, ValueError, LookupError) as error:
        raise NotCountable(pattern.pattern) from error


def ways_to_find(pattern: re.Pattern[str], length: int) -> int:
    """Returns an upper bound on the ways to find the pattern in a text of this length. Raises NotCountable."""
    return _capped(length * ways_to_match(pattern, length))


def _of_all(parts: Iterable[tuple[Any, Any]], length: int) -> int:
    return _capped(prod(_of(operator, operand, length) for operator, operand in parts))


def _of(operator: object, operand: Any, length: int) -> int:
    match str(operator):
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, repeated = operand
            return _of_repeat(least, min(most, length), _of_all(repeated, length))
        case "BRANCH":
            return sum(_of_all(branch, length) for branch in operand[1])
        case "GROUPREF_EXISTS":
            return sum(_of_all(branch or (), length) for branch in operand[1:])
        case "ATOMIC_GROUP":
            return _of_all(operand, length)
        case "SUBPATTERN" | "ASSERT" | "ASSERT_NOT":
            return _of_all(operand[-1], length)
        case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN" | "AT" | "FAILURE" | "GROUPREF":
            return 1  # a character, a position, or the text of an earlier group
    raise NotCountable(str(operator))


def _of_repeat(least: int, most: int, ways: int) -> int:
    if ways == 1:
        return max(1, most - least + 1)
    longest: int = ways ** min(most, MOST_WAYS.bit_length())
    return 2 * longest  # all shorter repetitions together have fewer ways


def _capped(ways: int) -> int:
    return min(ways, MOST_WAYS + 1)
