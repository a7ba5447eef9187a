"""Patterns that could take exponential time are recognised by their structure."""

import re
import sys
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from scheduler.core.retries import failure_classes
from scheduler.core.retries.retry_policy import FailurePattern
from scheduler.core.sections.pattern_cost import MOST_WAYS, NotCountable, ways_to_find, ways_to_match

LENGTH = 256
FAILURE = 1024


@pytest.mark.parametrize(
    "evil",
    [
        "(a+)+b",
        "(a*)*b",
        "(a|aa)+b",
        "(a|a?)+b",
        "(.*a){20}b",
        r"^(\w+\s?)*$",
        r"([a-z]+)*@(([a-z])+.)+[A-Z]([a-z])+$",
        "a?" * 30 + "a" * 30,  # each may be there or not
        "(a|b|ab)(a|b|ab)" * 10,
        ".*.*.*=.*",
        "(?=(a+)+b)a",
        "(?>(a+)+b)",
        "(x)?(?(1)b|(a+)+)",
        "(((a*)*)*)*",
    ],
)
def test_a_pattern_with_too_many_ways_is_detected(evil: str) -> None:
    assert ways_to_match(re.compile(evil), LENGTH) > MOST_WAYS


@pytest.mark.parametrize(
    ("pattern", "ways"),
    [
        ("[0-9]{4}", 1),
        ("vision|nlp", 2),
        ("cost-?centre", 2),
        ("[a-z]{1,8}", 8),
        ("(ab)*", LENGTH + 1),
        ("(?i)[a-z]+", LENGTH),
        ("team-(vision|nlp)-[0-9]+", 2 * LENGTH),
        (r"(\w+)-\1", LENGTH),
        ("a.*b.*", (LENGTH + 1) ** 2),
    ],
)
def test_ways_are_counted(pattern: str, ways: int) -> None:
    assert ways_to_match(re.compile(pattern), LENGTH) == ways <= MOST_WAYS


def test_a_search_may_begin_anywhere() -> None:
    assert ways_to_find(re.compile("EFA .* unreachable"), FAILURE) == FAILURE * (FAILURE + 1)


@pytest.mark.parametrize(
    "known", [*failure_classes._IN_REASON, *failure_classes._IN_LOG], ids=lambda one: one.pattern.pattern
)
def test_the_built_in_patterns_are_quick(known: FailurePattern) -> None:
    assert ways_to_find(known.pattern, FAILURE) <= MOST_WAYS


@pytest.mark.parametrize(
    "pattern", [r"\Aa[^b-d]\b(?!x)(?<=y)$", "(?!)", "[^a]", "(?i:a)b", "(?P<x>a)?(?(x)b|c)(?P=x)", "(?x) a # b"]
)
def test_every_part_of_a_pattern_is_known(pattern: str) -> None:
    assert ways_to_match(re.compile(pattern), LENGTH) <= MOST_WAYS


OTHER_PARSERS: dict[str, Callable[[str, int], object]] = {
    "a part that is not known": lambda *_: [("RECURSION", None)],
    "a part of another shape": lambda *_: [("MAX_REPEAT", (1, 2))],
    "no pairs": lambda *_: ["LITERAL"],
    "other arguments": lambda *_: (_ for _ in ()).throw(TypeError("parse() takes 1 positional argument")),
    "no list": lambda *_: None,
}


@pytest.mark.parametrize("parse", OTHER_PARSERS.values(), ids=OTHER_PARSERS)
def test_a_pattern_that_another_python_parses_differently_is_not_counted(
    parse: Callable[[str, int], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "re._parser", SimpleNamespace(parse=parse))
    with pytest.raises(NotCountable):
        ways_to_match(re.compile("vision"), LENGTH)
