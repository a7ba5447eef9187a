"""A document of spending limits is accepted as a whole, or refused with lines and reasons."""

from decimal import Decimal

import pytest

from scheduler.core.sections.schema import ConfigKind
from scheduler.core.spending.limits import LimitAction, Measure, ScopeKind, SpendingRules
from support.builders.configurations import a_stack
from support.builders.invalid_sections import change_of, problem_of, problems_of

GOOD = """{
  "time_zone": "Europe/Berlin",
  "limits": [
    {"name": "vision", "team": "vision", "gpu_hours": 500, "warn_at": 0.9, "then": "stop"},
    {"name": "everybody", "owner": "*", "dollars": 1000.5},
    {"name": "moon", "tag": "project=moon", "dollars": 200},
    {"name": "projects", "tag": "project", "gpu_hours": 0}
  ]
}"""
TEAMS = {name: {"members": [f"*:assumed-role/{name}/*"]} for name in ("vision", "speech")}
STACK = a_stack("ml.g5.xlarge=2")


def read(text: str) -> SpendingRules:
    return change_of(ConfigKind.SPENDING, text, STACK, shares=TEAMS).after.spending


def test_a_good_section_is_read() -> None:
    first, second, *_ = read(GOOD).limits
    assert (first.kind, first.scope_name, first.measure, first.most) == (
        ScopeKind.TEAM,
        "vision",
        Measure.GPU_HOURS,
        Decimal(500),
    )
    assert (first.warn_at, first.then) == (Decimal("0.9"), LimitAction.STOP)
    assert (second.most, second.warn_at, second.then) == (Decimal("1000.5"), Decimal("0.8"), LimitAction.HOLD)


def test_a_limit_may_be_for_one_person_of_the_hosted_page() -> None:
    person = "person/6852ca10-901f-43c4-a682-8e76d3831921"
    assert read(GOOD.replace('"owner": "*"', f'"owner": "{person}"')).limits[1].scope_name == person


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('"time_zone"', '"zone"', 2, "zone", "did you mean time_zone?"),
        ("Europe/Berlin", "Mars", 2, "time_zone", "name of a time zone"),
        ('"name": "moon"', '"name": "vision"', 6, "limits[2].name", "name of a limit above"),
        ('"team": "vision", ', "", 4, "limits[0]", "exactly one of owner, team and tag"),
        ('"team": "vision"', '"team": "vision", "owner": "*"', 4, "limits[0]", "exactly one of owner, team and tag"),
        (
            '"team": "vision"',
            '"team": "visoin"',
            4,
            "limits[0].team",
            "* or one of the teams in shares, not 'visoin' (speech, vision)",
        ),
        ('"team": "vision"', '"group": "vision"', 4, "limits[0].group", "not a known member"),
        ('"owner": "*"', '"owner": "ada"', 5, "limits[1].owner", "role/NAME"),
        ('"tag": "project=moon"', '"tag": "=moon"', 6, "limits[2].tag", "KEY=VALUE"),
        ('"gpu_hours": 500', '"gpu_hours": -1', 4, "limits[0].gpu_hours", "must be 0 or more"),
        ('"gpu_hours": 500', '"gpu_hours": "500"', 4, "limits[0].gpu_hours", "must be a number"),
        ('"gpu_hours": 500', '"gpu_hours": 500, "dollars": 1', 4, "limits[0]", "exactly one of gpu_hours and dollars"),
        ('"warn_at": 0.9', '"warn_at": 90', 4, "limits[0].warn_at", "at most 1"),
        ('"stop"', '"kill"', 4, "limits[0].then", "must be one of hold, stop"),
        ('"tag": "project", "gpu_hours": 0', '"tag": "project=moon", "dollars": 3', 7, "limits[3].dollars", "above"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(ConfigKind.SPENDING, GOOD, good, bad, f"spending.{field}", STACK, shares=TEAMS)
    assert (problem.line, reason in problem.message) == (line, True), problem.message


def test_dollars_are_refused_while_a_type_of_the_budget_has_no_price() -> None:
    found = problems_of(ConfigKind.SPENDING, GOOD, a_stack("ml.g5.xlarge=2,ml.new.xlarge=1"), shares=TEAMS)
    assert [problem.field for problem in found] == ["spending.limits[1].dollars", "spending.limits[2].dollars"]
    assert "no price of ml.new.xlarge is known; add it to prices" in found[0].message


def test_more_limits_than_one_transaction_can_count_are_refused() -> None:
    limits = [{"name": f"n{number}", "tag": f"k{number}", "gpu_hours": 1} for number in range(41)]
    assert len(change_of(ConfigKind.SPENDING, {"limits": limits[:40]}).after.spending.limits) == 40
    (problem,) = problems_of(ConfigKind.SPENDING, {"limits": limits})
    assert (problem.field, problem.message) == ("spending.limits", "must be at most 40")


def test_the_time_zone_is_that_of_the_world_unless_it_is_given() -> None:
    assert (str(read(GOOD).time_zone), str(read("{}").time_zone)) == ("Europe/Berlin", "UTC")
