"""Durations are text with units; values of code are seconds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from cattrs import BaseValidationError
from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.sections.durations import (
    LONGEST_DURATION,
    Duration,
    format_duration,
    parse_duration,
    structure_duration,
)
from scheduler.core.sections.strict_structure import strict_converter

EXPECTED = "must be a duration such as 90s, 5m, 1h30m, 2d or 1w"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0s", 0),
        ("90s", 90),
        ("5m", 300),
        ("1h30m", 5_400),
        ("90m", 5_400),
        ("2d", 172_800),
        ("1w", 604_800),
        ("1w2d3h4m5s", 788_645),
        ("520w", LONGEST_DURATION),
    ],
)
def test_a_duration_is_read_in_seconds(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "value",
    [
        *(
            "",
            " ",
            "m",
            "5 m",
            " 5m",
            "5m\n",
            "5M",
            "1.5h",
            "-5m",
            "+5m",
            "30m1h",
            "1h1h",
            "5min",
            "٥m",
            "9" * 5000 + "s",
        ),
        *("-5", "1.5", "9" * 5000, -5, 10**10, 0.5, True, None, [], {}, ["5m"]),
    ],
)
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=f"^{EXPECTED}$"):
        parse_duration(value)


@pytest.mark.parametrize(("value", "text"), [(300, "5m"), ("300", "5m"), (0, "0s"), (90, "1m30s"), (604_800, "1w")])
def test_a_number_without_unit_is_refused_with_the_text_to_write(value: object, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{EXPECTED}: {value} has no unit; write {text}$"):
        parse_duration(value)


@pytest.mark.parametrize("text", ["521w", "520w1s", "999999999w"])
def test_a_duration_ends_before_time_does(text: str) -> None:
    with pytest.raises(ValueError, match="must be at most 520w"):
        parse_duration(text)


@given(st.integers(0, LONGEST_DURATION))
def test_formatting_is_the_inverse_of_parsing(seconds: int) -> None:
    assert parse_duration(format_duration(seconds)) == seconds


@given(st.lists(st.integers(0, 99), min_size=5, max_size=5))
def test_formatting_uses_the_largest_units_whatever_was_written(amounts: list[int]) -> None:
    written = "".join(f"{amount}{unit}" for amount, unit in zip(amounts, "wdhms", strict=True))
    text = format_duration(parse_duration(written))
    assert format_duration(parse_duration(text)) == text
    formatted = {unit: int(amount) for amount, unit in re.findall("([0-9]+)([wdhms])", text)}
    assert all(0 < formatted.get(unit, 1) < limit for unit, limit in {"d": 7, "h": 24, "m": 60}.items())
    assert formatted.get("s", 1) in (range(60) if text == "0s" else range(1, 60))


@dataclass(frozen=True)
class Treatment:
    delay: Duration
    after: Duration | None = None
    weight: float = 1.0


@dataclass(frozen=True)
class Retries:
    steps: tuple[Duration, ...]
    treatments: Mapping[str, Treatment]
    ordered: tuple[Treatment, ...] = ()
    wait: Duration = 3_600


def structured(value: Any) -> Retries:
    return strict_converter({Duration: structure_duration}).structure(value, Retries)


def test_a_converter_reads_durations_wherever_they_stand() -> None:
    treatments = {"capacity": {"delay": "1m", "after": "1h", "weight": 2}, "x": {"delay": "5m", "after": None}}
    value = {"steps": ["1m", "2d"], "treatments": treatments, "ordered": [{"delay": "0s", "weight": 0.5}]}
    assert structured(value) == Retries(
        steps=(60, 172_800),
        treatments={"capacity": Treatment(60, 3_600, 2.0), "x": Treatment(300)},
        ordered=(Treatment(0, weight=0.5),),
    )


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"steps": [5], "treatments": {}}, f"{EXPECTED}: 5 has no unit; write 5s"),
        ({"steps": [], "treatments": {"a": {"delay": "soon"}}}, EXPECTED),
        ({"steps": [], "treatments": {"a": {"delay": "1s", "after": "soon"}}}, EXPECTED),
        ({"steps": [], "treatments": {}, "wait": 3600}, f"{EXPECTED}: 3600 has no unit; write 1h"),
        ({"steps": [], "treatments": {"a": {"delay": "1s", "weight": True}}}, "must be a number"),
        ({"steps": [], "treatments": {"a": {"delay": "1s", "weight": "1"}}}, "must be a number"),
    ],
)
def test_a_converter_refuses_other_values(value: object, problem: str) -> None:
    with pytest.raises(BaseValidationError) as refused:
        structured(value)
    assert [str(error) for error in _innermost(refused.value)] == [problem]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_fraction_is_the_number_that_was_written(number: float) -> None:
    assert strict_converter({}).structure(number, float) == number


def _innermost(error: BaseException) -> list[BaseException]:
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return [innermost for one in inner for innermost in _innermost(one)] or [error]
