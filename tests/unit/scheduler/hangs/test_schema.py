"""The section about hangs is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.idle_gpus.hangs.hang_rule import HangAction, HangRule
from scheduler.core.sections.schema import ConfigKind
from support.builders.invalid_sections import change_of, problem_of

GOOD = """action: stop-and-retry
window: 30m
grace: 1h
gpu_percent: 2.5
cpu_percent: 10
"""


def test_a_good_section_is_read() -> None:
    assert change_of(ConfigKind.HANGS, GOOD).after.hangs == HangRule(
        action=HangAction.STOP_AND_RETRY, minutes=30, grace_minutes=60, gpu_percent=2.5, cpu_percent=10
    )


def test_without_a_section_the_queue_does_not_look_for_hangs() -> None:
    assert change_of(ConfigKind.IDLE_GPUS, "{}").after.hangs == HangRule(action=HangAction.OFF)


@pytest.mark.parametrize("action", HangAction)
def test_each_action_can_be_written_without_quotes(action: HangAction) -> None:
    assert change_of(ConfigKind.HANGS, f"action: {action}").after.hangs.action is action


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ("action: stop-and-retry", "action: kill", 1, "action", "must be one of off, warn, stop, stop-and-retry"),
        ("window: 30m", "window: 4m", 2, "window", "must be whole minutes from 5m to 24h"),
        ("window: 30m", "window: 450s", 2, "window", "must be whole minutes from 5m to 24h"),
        ("grace: 1h", "grace: 30s", 3, "grace", "must be whole minutes from 0m to 24h"),
        ("gpu_percent: 2.5", "gpu_percent: 101", 4, "gpu_percent", "must be a number from 0 to 100"),
        ("cpu_percent: 10", "cpu_percent: -1", 5, "cpu_percent", "must be a number from 0 to 100"),
        ("cpu_percent: 10", "percent: 10", 5, "percent", "is not a known member"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(ConfigKind.HANGS, GOOD, good, bad, f"hangs.{field}")
    assert (problem.line, reason in problem.message) == (line, True), problem.message
