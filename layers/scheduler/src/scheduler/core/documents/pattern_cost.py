"""How long a regular expression can take at worst: Python goes back and tries another way until none is left.

A match has no time limit, and a text can be made for a pattern such as `(a+)+b` that nobody waits for. So the ways are
counted, from above, before a pattern comes into force.

Only a private module of Python tells what a pattern is made of. What is not as it is known here is not judged.
"""

import re
from collections.abc import Iterable
from importlib import import_module
from math import prod
from typing import Any

#: Some milliseconds. One gap that is looked for anywhere in 1,024 characters fits in, or two in a tag's whole value.
MOST_WAYS = 2**21

_PARSER = "re._parser"  # by its name when it is needed: what is in force does not need it


class NotCountable(Exception):
    """This Python takes patterns apart in another way than is known here."""


def ways_to_match(pattern: re.Pattern[str], length: int) -> int:
    """At most so many for a whole text of this length; more than MOST_WAYS are told as one more than these.

    Raises NotCountable.
    """
    try:
        return _of_all(import_module(_PARSER).parse(pattern.pattern, pattern.flags), length)
    except (ImportError, AttributeError, TypeError, ValueError, LookupError) as error:
        raise NotCountable(pattern.pattern) from error


def ways_to_find(pattern: re.Pattern[str], length: int) -> int:
    """At most so many to find it anywhere in a text of this length. Raises NotCountable."""
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
            return 1  # a character, a place, or the text of a group once more
    raise NotCountable(str(operator))


def _of_repeat(least: int, most: int, ways: int) -> int:
    if ways == 1:
        return max(1, most - least + 1)
    longest: int = ways ** min(most, MOST_WAYS.bit_length())
    return 2 * longest  # all shorter ones together have fewer


def _capped(ways: int) -> int:
    return min(ways, MOST_WAYS + 1)
