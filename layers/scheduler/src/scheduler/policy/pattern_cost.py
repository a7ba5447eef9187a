"""How long a regular expression can take at worst: Python goes back and tries another way until none is left.

A match has no time limit, and a text can be made for a pattern such as `(a+)+b` that nobody waits for. So the ways are
counted, from above, before a pattern comes into force.
"""

import re
from collections.abc import Iterable
from math import prod
from re import _constants as kind  # type: ignore[attr-defined] # nothing else tells what a pattern is made of
from re import _parser  # type: ignore[attr-defined]
from typing import Any

#: Some milliseconds. One gap that is looked for anywhere in 1,024 characters fits in, or two in a tag's whole value.
MOST_WAYS = 2**21

_REPEATS = {kind.MAX_REPEAT, kind.MIN_REPEAT, kind.POSSESSIVE_REPEAT}
_LOOKS = {kind.ASSERT, kind.ASSERT_NOT}


def ways_to_match(pattern: re.Pattern[str], length: int) -> int:
    """At most so many for a whole text of this length; more than MOST_WAYS are told as one more than these."""
    return _of_all(_parser.parse(pattern.pattern, pattern.flags), length)


def ways_to_find(pattern: re.Pattern[str], length: int) -> int:
    """At most so many to find it anywhere in a text of this length."""
    return _capped(length * ways_to_match(pattern, length))


def _of_all(parts: Iterable[tuple[Any, Any]], length: int) -> int:
    return _capped(prod(_of(operator, operand, length) for operator, operand in parts))


def _of(operator: Any, operand: Any, length: int) -> int:
    if operator in _REPEATS:
        least, most, repeated = operand
        return _of_repeat(least, min(most, length), _of_all(repeated, length))
    if operator is kind.BRANCH:
        return sum(_of_all(branch, length) for branch in operand[1])
    if operator is kind.GROUPREF_EXISTS:
        return sum(_of_all(branch or (), length) for branch in operand[1:])
    if operator is kind.ATOMIC_GROUP:
        return _of_all(operand, length)
    if operator is kind.SUBPATTERN or operator in _LOOKS:
        return _of_all(operand[-1], length)
    return 1  # a character, a place, or the text of a group once more


def _of_repeat(least: int, most: int, ways: int) -> int:
    if ways == 1:
        return max(1, most - least + 1)
    longest: int = ways ** min(most, MOST_WAYS.bit_length())
    return 2 * longest  # all shorter ones together have fewer


def _capped(ways: int) -> int:
    return min(ways, MOST_WAYS + 1)
