"""The section `callers` is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.callers.permissions import CallerEntry
from scheduler.core.sections.file_text import MAX_BYTES
from scheduler.core.sections.schema import ConfigKind
from support.builders.callers import an_entry
from support.builders.invalid_sections import change_of, problems_of

GOOD = """[


    {"name": "vision", "principals": ["role/Vision*"], "teams": ["vision"],
     "verbs": ["submit", "control_team"],
     "execution_roles": ["arn:aws:iam::123456789012:role/train/*"], "priority_ceiling": 10},
    {"name": "operators", "principals": ["role/Platform"],
     "verbs": ["operate"]}
]"""


def read(section: object) -> tuple[CallerEntry, ...]:
    return change_of(ConfigKind.CALLERS, section).after.callers


def problems(text: str) -> list[tuple[int | None, str, str]]:
    return [(problem.line, problem.field, problem.message) for problem in problems_of(ConfigKind.CALLERS, text)]


def test_a_good_section_is_read() -> None:
    vision, operators = read(GOOD)
    assert (vision.name, vision.priority_ceiling, operators.priority_ceiling) == ("vision", 10, None)


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('["operate"]', '["operate"], "ceiling": 1', 8, "callers[1].ceiling", "is not a known member"),
        (
            '["operate"]',
            '["Operate"]',
            8,
            "callers[1].verbs",
            "contains 'Operate', an unknown verb; did you mean operate?",
        ),
        (
            '["operate"]',
            '["config:rule"]',
            8,
            "callers[1].verbs",
            "contains 'config:rule', an unknown verb; did you mean config:rules?",
        ),
        ('["operate"]', '["config"]', 8, "callers[1].verbs", "contains 'config'"),
        ('["operate"]', '["config:*,operate"]', 8, "callers[1].verbs", "contains 'config:*,operate'"),
        ('["operate"]', '"operate"', 8, "callers[1].verbs", "must be a list of nonempty texts"),
        ('["operate"]', '["control_team"]', 7, "callers[1].teams", "control_team needs teams"),
        ('["operate"]', '["operate"],\n"verbs": []', 9, "callers[1].verbs", "is given twice"),
        ('"operators"', '"vision"', 7, "callers[1].name", "is the name of an entry above"),
        ('"operators"', '"oper\\nators"', 7, "callers[1].name", "must be 1 to 64 letters"),
        ('"operators"', "7", 7, "callers[1].name", "must be nonempty text"),
        ('["role/Platform"]', "[]", 7, "callers[1].principals", "no caller"),
        ('["role/Platform"]', '["role/Vision*"]', 7, "callers[1].principals", "a principal of an entry above"),
        ('"role/Platform"', '"assumed-role/Platform/x"', 7, "callers[1].principals[0]", "names a session"),
        ('"role/Platform"', "7", 7, "callers[1].principals[0]", "must be text"),
        ('["vision"]', '["a b"]', 4, "callers[0].teams", "must be names"),
        ('["arn:aws:iam::123456789012:role/train/*"]', "[]", 6, "callers[0].execution_roles", "submit needs the"),
        (
            '"execution_roles": ["arn:aws:iam::123456789012:role/train/*"], ',
            "",
            4,
            "callers[0].execution_roles",
            "missing",
        ),
        ("role/train/*", "role/tr?in", 6, "callers[0].execution_roles", "characters that are not allowed"),
        ('"priority_ceiling": 10', '"priority_ceiling": "10"', 6, "callers[0].priority_ceiling", "whole number"),
        ('["operate"]', '["operate"], "trust_session_names": true', 8, "callers[1].trust_session_names", "whole names"),
        (
            '"role/Vision*"], "teams": ["vision"],',
            '"role/AWSReservedSSO_Science_*"], "teams": ["vision"], "trust_session_names": true,',
            4,
            "callers[0].trust_session_names",
            "whole names of IAM Identity Center roles",
        ),
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


@pytest.mark.parametrize("text", ["", "{}", "[", "[{}]", "[" * 50_000, " " * (MAX_BYTES + 1), "[NaN]"])
def test_a_text_that_is_no_list_of_callers_is_refused(text: str) -> None:
    assert problems(text)


@pytest.mark.parametrize("entries", [[], [an_entry("*", verbs=())], [an_entry("*", verbs=("operate", "control_own"))]])
def test_callers_of_whom_no_one_may_submit_are_refused(entries: list[object]) -> None:
    ((field, message),) = [(problem.field, problem.message) for problem in problems_of(ConfigKind.CALLERS, entries)]
    assert (field, message) == ("callers", "must have at least one entry with the verb submit")


def test_an_entry_may_deny_everything() -> None:
    assert read([an_entry("role/Former", verbs=()), an_entry("*", name="rest")])[0].verbs == ()


@pytest.mark.parametrize("kind", [*ConfigKind, "*"])
def test_there_is_a_verb_for_each_kind_of_section(kind: str) -> None:
    assert read([an_entry("*", verbs=("submit", f"config:{kind}"))])[0].verbs == ("submit", f"config:{kind}")
