"""The section about losses that are NaN is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.idle_gpus.nan_losses.nan_rule import LOSS, NanAction
from scheduler.core.sections.schema import ConfigKind
from support.builders.invalid_sections import change_of, problem_of

GOOD = """action: warn-then-stop
window: 30m
grace: 1h
values: 3
pattern: 'error (\\S{1,9})'
"""


def test_a_good_section_is_read() -> None:
    rule = change_of(ConfigKind.NAN, GOOD).after.nan
    assert (rule.action, rule.minutes, rule.grace_minutes, rule.values) == (NanAction.WARN_THEN_STOP, 30, 60, 3)
    assert rule.pattern.pattern == r"error (\S{1,9})"


def test_without_a_section_the_queue_reads_no_losses() -> None:
    assert change_of(ConfigKind.IDLE_GPUS, "{}").after.nan.action is NanAction.OFF


def test_the_default_pattern_is_fast_enough() -> None:
    assert change_of(ConfigKind.NAN, "action: warn").after.nan.pattern.pattern == LOSS


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ("action: warn-then-stop", "action: stop", 1, "action", "must be one of off, warn, warn-then-stop"),
        ("window: 30m", "window: 4m", 2, "window", "must be whole minutes from 5m to 24h"),
        ("grace: 1h", "grace: 30s", 3, "grace", "must be whole minutes from 0m to 24h"),
        ("values: 3", "values: 0", 4, "values", "must be 1 to 50"),
        (r"(\S{1,9})", r"\S{1,9}", 5, "pattern", "must have one group"),
        (r"(\S{1,9})", r"((a+)+)b", 5, "pattern", "must have one group"),
        (r"(\S{1,9})", r"((?:a+)+b)", 5, "pattern", "could take too long to match"),
        (r"(\S{1,9})", r"(", 5, "pattern", "is not a regular expression"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(ConfigKind.NAN, GOOD, good, bad, f"nan.{field}")
    assert (problem.line, reason in problem.message) == (line, True), problem.message
