"""The section of retries is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.jobs.attempt import FailureClass
from scheduler.core.retries.retry_policy import DEFAULTS, RetryPolicy
from scheduler.core.sections.schema import ConfigKind
from support.builders.invalid_sections import change_of, problem_of, problems_of

GOOD = """patterns:
- failure: hardware
  pattern: NCCL.*unhandled
treatments:
  hardware: {retries: 5, delay: 30s, longest_delay: 1h}
  user:
    retries: 1
    after_training: 2h
leaving_spot:
  allowed: true
  interruptions: 4
  wait: 90m
"""


def test_a_good_section_is_read() -> None:
    policy = change_of(ConfigKind.RETRIES, GOOD).after.retries
    hardware, user = policy.treatment_of(FailureClass.HARDWARE), policy.treatment_of(FailureClass.USER)
    assert (hardware.retries, hardware.delay, hardware.longest_delay) == (5, 30, 3600)
    assert (user.retries, user.delay, user.after_training) == (1, 60, 7200)
    assert policy.treatment_of(FailureClass.CAPACITY) == DEFAULTS[FailureClass.CAPACITY]
    assert (policy.leaving_spot.allowed, policy.leaving_spot.interruptions, policy.leaving_spot.wait) == (True, 4, 5400)
    assert policy.patterns[0].pattern.search("NCCL: unhandled system error")


def test_an_empty_section_has_the_defaults() -> None:
    assert change_of(ConfigKind.RETRIES, "{}").after.retries == RetryPolicy()


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ("failure: hardware", "failure: hardwear", 2, "patterns[0].failure", "must be one of"),
        ("failure: hardware", "class: hardware", 2, "patterns[0].class", "is not a known member"),
        ("NCCL.*unhandled", "'['", 3, "patterns[0].pattern", "not a regular expression"),
        ("NCCL.*unhandled", "a.*b.*c", 3, "patterns[0].pattern", "take too long"),
        ("NCCL.*unhandled", "(a+)+b", 3, "patterns[0].pattern", "take too long"),
        ("  pattern: NCCL.*unhandled\n", "", 2, "patterns[0].pattern", "is missing"),
        ("  user:", "  users:", 6, "treatments.users", "must be one of"),
        ("retries: 5", "retries: -1", 5, "treatments.hardware.retries", "must be 0 to 1000"),
        ("retries: 5", "retries: 1001", 5, "treatments.hardware.retries", "must be 0 to 1000"),
        ("retries: 5", "retries: many", 5, "treatments.hardware.retries", "whole number"),
        ("delay: 30s", "delay: 30", 5, "treatments.hardware.delay", "30 has no unit; write 30s"),
        ("delay: 30s", "delay: 2h", 5, "treatments.hardware.delay", "must be at most longest_delay, 1h"),
        ("delay: 30s", "delay: -30s", 5, "treatments.hardware.delay", "must be a duration"),
        ("longest_delay: 1h", "longest_delay: 25h", 5, "treatments.hardware.longest_delay", "must be at most 1d"),
        ("after_training: 2h", "after_training: 8d", 8, "treatments.user.after_training", "must be at most 1w"),
        (
            "after_training: 2h",
            "after: 2h",
            8,
            "treatments.user.after",
            "known are after_training, delay, longest_delay, retries",
        ),
        ("allowed: true", "allowed: yes", 10, "leaving_spot.allowed", "must be true or false"),
        ("interruptions: 4", "interruptions: 1001", 11, "leaving_spot.interruptions", "must be 1 to 1000"),
        ("wait: 90m", "wait: 8d", 12, "leaving_spot.wait", "must be at most 1w"),
        ("leaving_spot:", "leave_spot:", 9, "leave_spot", "did you mean leaving_spot?"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(ConfigKind.RETRIES, GOOD, good, bad, f"retries.{field}")
    assert (problem.line, reason in problem.message) == (line, True), problem.message


def test_a_pattern_for_logs_may_have_fewer_ways_than_one_for_tags() -> None:
    pattern = "a.*b.*c"
    tags = {"rules": [{"name": "team", "kind": "required_tags", "tags": {"team": {"pattern": pattern}}}]}
    assert change_of(ConfigKind.RULES, tags).changed
    (problem,) = problems_of(ConfigKind.RETRIES, {"patterns": [{"failure": "hardware", "pattern": pattern}]})
    assert problem.field == "retries.patterns[0].pattern"
