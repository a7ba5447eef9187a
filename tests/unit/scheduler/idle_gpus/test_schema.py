"""The section about idle GPUs is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule, UnderusedAction
from scheduler.core.sections.schema import ConfigKind
from support.builders.invalid_sections import change_of, problem_of

GOOD = """action: stop
percent: 2.5
window: 20m
grace: 1h
minimum_utilisation: 30
exempt_for: 8h
underused: warn-then-stop
"""


def test_a_good_section_is_read() -> None:
    assert change_of(ConfigKind.IDLE_GPUS, GOOD).after.idle_gpus == IdleRule(
        action=IdleAction.STOP,
        percent=2.5,
        minutes=20,
        grace_minutes=60,
        minimum_utilisation=30,
        exempt_minutes=480,
        underused=UnderusedAction.WARN_THEN_STOP,
    )


def test_an_empty_section_warns_before_it_stops() -> None:
    assert change_of(ConfigKind.IDLE_GPUS, "{}").after.idle_gpus == IdleRule(action=IdleAction.WARN_THEN_STOP)


@pytest.mark.parametrize("action", IdleAction)
def test_each_action_can_be_written_without_quotes(action: IdleAction) -> None:
    """In YAML 1.1, `off` means false."""
    assert change_of(ConfigKind.IDLE_GPUS, f"action: {action}").after.idle_gpus.action is action


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ("action: stop", "action: kill", 1, "action", "must be one of off, warn, stop, warn-then-stop"),
        ("action: stop", "action: false", 1, "action", "must be one of off, warn, stop, warn-then-stop"),
        ("percent: 2.5", "percent: 101", 2, "percent", "must be a number from 0 to 100"),
        ("percent: 2.5", "percent: -1", 2, "percent", "must be a number from 0 to 100"),
        ("percent: 2.5", "percent: 5%", 2, "percent", "must be a number"),
        ("window: 20m", "window: 0m", 3, "window", "must be whole minutes from 1m to 24h"),
        ("window: 20m", "window: 450s", 3, "window", "must be whole minutes from 1m to 24h"),
        ("window: 20m", "window: 24h1m", 3, "window", "must be whole minutes from 1m to 24h"),
        ("window: 20m", "window: 7.5m", 3, "window", "must be a duration such as"),
        ("window: 20m", "minutes: 20", 3, "minutes", "is not a known member"),
        ("grace: 1h", "grace: 30s", 4, "grace", "must be whole minutes from 0m to 24h"),
        ("grace: 1h", "grace: 25h", 4, "grace", "must be whole minutes from 0m to 24h"),
        ("exempt_for: 8h", "exempt_for: 29d", 6, "exempt_for", "must be whole minutes from 0m to 28d"),
        ("minimum_utilisation: 30", "minimum_utilisation: 130", 5, "minimum_utilisation", "from 0 to 100"),
        ("underused: warn-then-stop", "underused: stop", 7, "underused", "must be one of warn, warn-then-stop"),
        ("minimum_utilisation: 30", "minimum_utilisation: 0", 7, "underused", "set minimum_utilisation, which is 0"),
        ("action: stop", "action: warn", 7, "underused", "set action to stop or warn-then-stop"),
        ("minimum_utilisation: 30", "minimum_utilization: 30", 5, "minimum_utilization", "mean minimum_utilisation?"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(ConfigKind.IDLE_GPUS, GOOD, good, bad, f"idle_gpus.{field}")
    assert (problem.line, reason in problem.message) == (line, True), problem.message
