"""A document of rules is accepted as a whole, or refused with lines and reasons."""

import json
import sys
from typing import Any

import pytest

from scheduler.core.documents.parser import MAX_BYTES, MAX_REPORTED_PROBLEMS
from scheduler.core.guardrails.document import rules_of, validated
from scheduler.errors.config_errors import BadDocument
from support.builders.rules import TODAY, a_document, a_rule, the_rules

GOOD = """{
  "format": 1,
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


def problems(text: str) -> list[tuple[int | None, str, str]]:
    with pytest.raises(BadDocument) as refusal:
        validated(text, TODAY)
    return [(problem.line, problem.field, problem.message) for problem in refusal.value.problems]


def test_a_good_document_is_read() -> None:
    rules = validated(GOOD, TODAY)
    assert [(rule.kind, rule.name) for rule in rules.rules] == [
        ("required_tags", "team"),
        ("instances_per_job", "small"),
    ]
    assert rules.exemptions[0].expires_at.isoformat() == "2027-01-31T00:00:00+00:00"


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('"format": 1,', '"format": 1,\n"rulez": [],', 3, "rulez", "is not a known member"),
        ('"most": 4', '"most": 4, "mots": 4', 7, "rules[1].mots", "is not a known member"),
        ('"most": 4', '"most": "4"', 7, "rules[1].most", "must be a whole number"),
        ('"most": 4', '"most": true', 7, "rules[1].most", "must be a whole number"),
        ('"most": 4', '"most": 0', 7, "rules[1].most", "no job could run"),
        ('"most": 4', '"mode": "warn"', 6, "rules[1].most", "is missing"),
        ('"most": 4', '"most": 4, "mode": "maybe"', 7, "rules[1].mode", "must be one of enforce, warn, off"),
        ('"most": 4', '"most": 4,\n"most": 5', 8, "rules.1.most", "is given twice"),
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
        ('{"values": ["vision", "nlp"]}', '{"values": "nlp"}', 5, "rules[0].tags.team.values", "list of texts"),
        ('"name": "team"', '"name": "small"', 6, "rules[1].name", "is the name of a rule above"),
        ('"rules": ["small"]', '"rules": ["tiny"]', 10, "exemptions[0].rules", "is not the name of a rule"),
        ('{"owner": "*/ada"}', "{}", 11, "exemptions[0].jobs", "must select jobs"),
        ("*/ada", "*:assumed-role/Vision/ada", 11, "exemptions[0].jobs.owner", "names a session"),
        ('"bob"', '" "', 12, "exemptions[0].owner", "must be text"),
        ("2027-01-31", "2026-11-20", 13, "exemptions[0].expires_at", "has passed"),
        ("2027-01-31", "soon", 13, "exemptions[0].expires_at", "must be a date"),
        ('"format": 1,', '"format": 2,', 1, "format", "must be 1"),
        ('"reason": "a paper",', '"reason": "a paper"', 13, "", "not JSON"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    assert good in GOOD
    ((found_line, found_field, message),) = problems(GOOD.replace(good, bad, 1))
    assert (found_line, found_field) == (line, field)
    assert reason in message


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (a_rule("spot", use="required"), a_rule("spot", use="forbidden")),
        (a_rule("max_runtime", at_most=60), a_rule("max_runtime", at_least=61, at_most=90)),
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
    ((_, field, message),) = problems(a_document(first, second))
    assert field == "rules[1]"
    assert "contradicts" in message
    the_rules(first, {**second, "mode": "warn"})
    the_rules(first, {**second, "applies_to": {"team": "nlp"}})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (a_rule("images", allowed=["one*"]), a_rule("images", allowed=["*two"])),
        (a_rule("output_prefixes", allowed=["s3://a"]), a_rule("output_prefixes", allowed=["s3://a/team"])),
    ],
    ids=["patterns", "one below the other"],
)
def test_two_rules_that_a_job_can_satisfy_are_accepted(first: dict[str, Any], second: dict[str, Any]) -> None:
    assert len(the_rules(first, {**second, "name": "second"}).rules) == 2


def test_only_the_first_problems_are_listed_with_the_number_of_the_others() -> None:
    *told, left_out = problems(a_document(*[{}] * 250))
    assert [field for _, field, _ in told] == [f"rules[{index}].kind" for index in range(MAX_REPORTED_PROBLEMS)]
    assert left_out == (None, "", "150 more problems are not listed")
    assert len(problems(a_document(*[{}] * MAX_REPORTED_PROBLEMS))) == MAX_REPORTED_PROBLEMS


def test_all_problems_are_reported_at_once() -> None:
    text = GOOD.replace('"most": 4', '"most": 0').replace("2027-01-31", "soon").replace('"bob"', "7")
    assert [field for _, field, _ in problems(text)] == [
        "rules[1].most",
        "exemptions[0].owner",
        "exemptions[0].expires_at",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        "{",
        "[" * 50_000,
        '{"format": 1, "rules": NaN}',
        " " * (MAX_BYTES + 1),
        '{"format": 1, "rules": 7}',
    ],
)
def test_a_text_that_is_no_rules_document_is_refused(text: str) -> None:
    assert problems(text)


def test_a_pattern_for_logs_may_have_fewer_ways_than_one_for_tags() -> None:
    pattern = "a.*b.*c"
    the_rules(a_rule("required_tags", tags={"team": {"pattern": pattern}}))
    recovery = {"patterns": [{"failure": "hardware", "pattern": pattern}]}
    ((_, field, message),) = problems(a_document(recovery=recovery))
    assert field == "recovery.patterns[0].pattern"
    assert "take too long" in message


def test_a_slow_pattern_is_refused_before_the_document_itself_uses_it() -> None:
    evil = {"values": ["a" * 24], "pattern": "(a+)+b"}
    ((_, field, _),) = problems(a_document(a_rule("required_tags", tags={"team": evil})))
    assert field == "rules[0].tags.team.pattern"


def test_an_applied_document_stays_readable_with_a_pattern_that_would_be_refused_now() -> None:
    assert rules_of(a_document(a_rule("required_tags", tags={"team": {"pattern": "(a+)+b"}}))).rules


def test_an_applied_document_stays_readable_when_its_exemptions_have_expired() -> None:
    document = json.loads(GOOD)
    document["exemptions"][0]["expires_at"] = "2020-01-01"
    assert rules_of(json.dumps(document)).exemptions


def test_a_python_that_cannot_check_patterns_refuses_new_ones_and_keeps_applied_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = GOOD.replace('{"values": ["vision", "nlp"]}', '{"pattern": "vision-[0-9]{2}"}')
    monkeypatch.setitem(sys.modules, "re._parser", None)  # as if it were not there
    ((line, field, message),) = problems(text)
    assert (line, field) == (5, "rules[0].tags.team.pattern")
    assert "cannot be checked with this version of Python" in message
    assert [rule.name for rule in rules_of(text).rules] == ["team", "small"]
    assert validated(GOOD, TODAY)
