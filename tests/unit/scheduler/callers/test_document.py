"""A document of callers is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.callers.document import validated
from scheduler.core.documents.parser import MAX_BYTES
from scheduler.errors.config_errors import BadDocument
from support.builders.callers import a_callers_document, an_entry

GOOD = """{
  "format": 1,
  "callers": [
    {"name": "vision", "principals": ["role/Vision*"], "teams": ["vision"],
     "verbs": ["submit", "control_team"],
     "execution_roles": ["arn:aws:iam::123456789012:role/train/*"], "priority_ceiling": 10},
    {"name": "operators", "principals": ["role/Platform"],
     "verbs": ["operate"]}
  ]
}"""


def problems(text: str) -> list[tuple[int | None, str, str]]:
    with pytest.raises(BadDocument) as refusal:
        validated(text)
    return [(problem.line, problem.field, problem.message) for problem in refusal.value.problems]


def test_a_good_document_is_read() -> None:
    vision, operators = validated(GOOD)
    assert (vision.name, vision.priority_ceiling, operators.priority_ceiling) == ("vision", 10, None)


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('"format": 1,', '"format": 2,', 1, "format", "must be 1"),
        ('"format": 1,', '"format": 1,\n"callerz": [],', 3, "callerz", "is not a known member"),
        ('["operate"]', '["operate"], "ceiling": 1', 8, "callers[1].ceiling", "is not a known member"),
        ('["operate"]', '["Operate"]', 8, "callers[1].verbs[0]", "must be one of submit, control_own"),
        ('["operate"]', '"operate"', 8, "callers[1].verbs", "must be a list"),
        ('["operate"]', '["control_team"]', 7, "callers[1].teams", "control_team needs teams"),
        ('["operate"]', '["operate"],\n"verbs": []', 9, "callers.1.verbs", "is given twice"),
        ('"operators"', '"vision"', 7, "callers[1].name", "is the name of an entry above"),
        ('"operators"', '"oper\\nators"', 7, "callers[1].name", "must be 1 to 64 letters"),
        ('"operators"', "7", 7, "callers[1].name", "must be text"),
        ('["role/Platform"]', "[]", 7, "callers[1].principals", "no caller"),
        ('["role/Platform"]', '["role/Vision*"]', 7, "callers[1].principals", "a principal of an entry above"),
        ('"role/Platform"', '"assumed-role/Platform/x"', 7, "callers[1].principals[0]", "names a session"),
        ('"role/Platform"', "7", 7, "callers[1].principals[0]", "must be text"),
        ('["vision"]', '["a b"]', 4, "callers[0].teams", "must be names"),
        ('["arn:aws:iam::123456789012:role/train/*"]', "[]", 6, "callers[0].execution_roles", "no job could run"),
        ("role/train/*", "role/tr?in", 6, "callers[0].execution_roles", "characters that are not allowed"),
        ('"priority_ceiling": 10', '"priority_ceiling": "10"', 6, "callers[0].priority_ceiling", "whole number"),
        ('"priority_ceiling": 10', '"instance_types": ["ml.[g]5"]', 6, "callers[0].instance_types", "characters"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    assert good in GOOD
    found = problems(GOOD.replace(good, bad, 1))
    assert [(at, where) for at, where, _ in found] == [(line, field)]
    assert reason in found[0][2]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": 1}', "[" * 50_000, " " * (MAX_BYTES + 1), '{"a": NaN}'])
def test_a_text_that_is_no_document_is_refused(text: str) -> None:
    assert problems(text)


def test_a_document_may_deny_everything_to_all_callers() -> None:
    assert validated(a_callers_document()) == ()
    assert validated(a_callers_document(an_entry("*", verbs=())))[0].verbs == ()
