"""The section `rules` is accepted as a whole, or refused with lines and reasons."""

import sys
from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from scheduler.core.guardrails.rules import Rules
from scheduler.core.sections.file_text import MAX_BYTES
from scheduler.core.sections.schema import ConfigKind
from scheduler.errors.config_errors import MAX_REPORTED_PROBLEMS
from support.builders.configurations import a_configuration
from support.builders.invalid_sections import change_of, problems_of
from support.builders.rules import a_rule, rule_set

GOOD = """{

  "rules": [
    {"name": "team", "kind": "required_tags",
     "tags": {"team": {"values": ["vision", "nlp"]}}},
    {"name": "small", "kind": "instances_per_job",
     "most": 4}
  ],
  "exemptions": [
    {"rules": ["small"],
     "jobs": {"owner": "*/ada"},
     "owner": "bob", "reason": "a paper",
     "expires_at": "2027-01-31"}
  ]
}"""


def read(section: object) -> Rules:
    return change_of(ConfigKind.RULES, section).after.rules


def problems(section: object) -> list[tuple[int | None, str, str]]:
    return [(problem.line, problem.field, problem.message) for problem in problems_of(ConfigKind.RULES, section)]


def test_a_good_section_is_read() -> None:
    found = read(GOOD)
    assert [(rule.kind, rule.name) for rule in found.rules] == [
        ("required_tags", "team"),
        ("instances_per_job", "small"),
    ]
    assert found.exemptions[0].expires_at == datetime.combine(date(2027, 1, 31), time.max, UTC)


def test_an_exemption_may_end_at_a_time() -> None:
    found = read(GOOD.replace("2027-01-31", "2027-01-31T12:00:00+01:00"))
    assert found.exemptions[0].expires_at == datetime(2027, 1, 31, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('  "rules": [', '"format": 1,\n  "rules": [', 3, "format", "is not a known member"),
        ('  "rules": [', '"rulez": [],\n  "rules": [', 3, "rulez", "is not a known member; did you mean rules?"),
        ('"most": 4', '"most": 4, "mots": 4', 7, "rules[1].mots", "is not a known member; did you mean most?"),
        ('"most": 4', '"most": "4"', 7, "rules[1].most", "must be a whole number"),
        ('"most": 4', '"most": true', 7, "rules[1].most", "must be a whole number"),
        ('"most": 4', '"most": 0', 7, "rules[1].most", "no job could run"),
        ('"most": 4', '"mode": "warn"', 6, "rules[1].most", "is missing"),
        ('"most": 4', '"most": 4, "mode": "maybe"', 7, "rules[1].mode", "must be one of enforce, warn, off"),
        ('"most": 4', '"most": 4,\n"most": 5', 8, "rules[1].most", "is given twice"),
        ('"instances_per_job"', '"instances"', 6, "rules[1].kind", "must be one of"),
        (
            '{"values": ["vision", "nlp"]}',
            '{"pattern": "["}',
            5,
            "rules[0].tags.team.pattern",
            "not a regular expression",
        ),
        ('{"values": ["vision", "nlp"]}', '{"pattern": "(a+)+b"}', 5, "rules[0].tags.team.pattern", "take too long"),
        (
            '{"values": ["vision", "nlp"]}',
            '{"values": ["nlp"], "pattern": "v.*"}',
            5,
            "rules[0].tags.team.pattern",
            "matches none of the values",
        ),
        ('{"values": ["vision", "nlp"]}', '{"values": []}', 5, "rules[0].tags.team.values", "no value is allowed"),
        (
            '{"values": ["vision", "nlp"]}',
            '{"values": "nlp"}',
            5,
            "rules[0].tags.team.values",
            "list of nonempty texts",
        ),
        ('"name": "team"', '"name": "small"', 6, "rules[1].name", "is the name of a rule above"),
        ('"rules": ["small"]', '"rules": ["tiny"]', 10, "exemptions[0].rules", "is not the name of a rule"),
        ('{"owner": "*/ada"}', "{}", 11, "exemptions[0].jobs", "must select jobs"),
        ("*/ada", "*:assumed-role/Vision/ada", 11, "exemptions[0].jobs.owner", "names a session"),
        ("*/ada", "arn:aws:iam::123456789012:role/Vision", 11, "exemptions[0].jobs.owner", "matches no caller"),
        ('"bob"', '" "', 12, "exemptions[0].owner", "must be nonempty text"),
        ("2027-01-31", "soon", 13, "exemptions[0].expires_at", "must be a date"),
        ('"reason": "a paper",', '"reason": "a paper"', 13, "", "not JSON"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    assert good in GOOD
    ((found_line, found_field, message),) = problems(GOOD.replace(good, bad, 1))
    assert (found_line, found_field) == (line, f"rules.{field}" if field else "")
    assert reason in message


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (a_rule("spot", use="required"), a_rule("spot", use="forbidden")),
        (a_rule("max_runtime", at_most="1m"), a_rule("max_runtime", at_least="61s", at_most="90s")),
        (a_rule("instance_types", allowed=["ml.g5.xlarge"]), a_rule("instance_types", allowed=["ml.m5.large"])),
        (
            a_rule("required_tags", tags={"team": {"values": ["a"]}}),
            a_rule("required_tags", tags={"team": {"values": ["b"]}}),
        ),
        (a_rule("execution_roles", allowed=["arn:a"]), a_rule("execution_roles", allowed=["arn:b"])),
        (a_rule("images", allowed=["one:latest"]), a_rule("images", allowed=["two:latest"])),
        (a_rule("output_prefixes", allowed=["s3://a/team"]), a_rule("output_prefixes", allowed=["s3://a/team2"])),
    ],
    ids=["spot", "runtime", "types", "tags", "roles", "images", "outputs"],
)
def test_two_rules_that_no_job_can_satisfy_are_refused(first: dict[str, Any], second: dict[str, Any]) -> None:
    second["name"] = "second"
    ((_, field, message),) = problems(rule_set(first, second))
    assert field == "rules.rules[1]"
    assert "contradicts" in message
    read(rule_set(first, {**second, "mode": "warn"}))
    read(rule_set(first, {**second, "applies_to": {"team": "nlp"}}))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (a_rule("images", allowed=["one*"]), a_rule("images", allowed=["*two"])),
        (a_rule("output_prefixes", allowed=["s3://a"]), a_rule("output_prefixes", allowed=["s3://a/team"])),
    ],
    ids=["patterns", "one below the other"],
)
def test_two_rules_that_a_job_can_satisfy_are_accepted(first: dict[str, Any], second: dict[str, Any]) -> None:
    assert len(read(rule_set(first, {**second, "name": "second"})).rules) == 2


def test_only_the_first_problems_are_listed_with_the_number_of_the_others() -> None:
    *told, left_out = problems(rule_set(*[{}] * 250))
    assert [field for _, field, _ in told] == [f"rules.rules[{index}].kind" for index in range(MAX_REPORTED_PROBLEMS)]
    assert left_out == (None, "", "150 more problems are not listed")
    assert len(problems(rule_set(*[{}] * MAX_REPORTED_PROBLEMS))) == MAX_REPORTED_PROBLEMS


def test_all_problems_are_reported_at_once() -> None:
    text = GOOD.replace('"most": 4', '"most": 0').replace("2027-01-31", "soon").replace('"bob"', "7")
    assert [field for _, field, _ in problems(text)] == [
        "rules.rules[1].most",
        "rules.exemptions[0].owner",
        "rules.exemptions[0].expires_at",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        "{",
        "[" * 50_000,
        '{"rules": NaN}',
        " " * (MAX_BYTES + 1),
        '{"rules": 7}',
    ],
)
def test_a_text_that_is_no_section_of_rules_is_refused(text: str) -> None:
    assert problems(text)


def test_a_slow_pattern_is_refused_before_the_section_itself_uses_it() -> None:
    evil = {"values": ["a" * 24], "pattern": "(a+)+b"}
    ((_, field, _),) = problems(rule_set(a_rule("required_tags", tags={"team": evil})))
    assert field == "rules.rules[0].tags.team.pattern"


def test_an_applied_section_stays_readable_with_a_pattern_that_would_be_refused_now() -> None:
    slow = rule_set(a_rule("required_tags", tags={"team": {"pattern": "(a+)+b"}}))
    assert a_configuration(rules=slow).rules.rules


def test_an_exemption_that_has_expired_is_accepted_with_a_warning_so_that_a_file_can_be_applied_again() -> None:
    change = change_of(ConfigKind.RULES, GOOD.replace("2027-01-31", "2026-11-20"))
    assert change.warnings == ("rules.exemptions[0].expires_at has passed: renew the exemption or leave it out",)
    assert change_of(ConfigKind.RULES, GOOD).warnings == ()


def test_a_python_that_cannot_check_patterns_refuses_new_ones_and_keeps_applied_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = GOOD.replace('{"values": ["vision", "nlp"]}', '{"pattern": "vision-[0-9]{2}"}')
    in_force = rule_set(a_rule("required_tags", tags={"team": {"pattern": "vision-[0-9]{2}"}}))
    monkeypatch.setitem(sys.modules, "re._parser", None)  # as if it were not there
    ((line, field, message),) = problems(text)
    assert (line, field) == (5, "rules.rules[0].tags.team.pattern")
    assert "cannot be checked with this version of Python" in message
    change = change_of(ConfigKind.CALENDAR, "excess: stop", rules=in_force)
    assert [rule.name for rule in change.after.rules.rules] == ["required-tags"]
    assert read(GOOD)
