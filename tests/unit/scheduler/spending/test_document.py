"""A document of spending limits is accepted as a whole, or refused with lines and reasons."""

from decimal import Decimal

import pytest

from scheduler.core.spending.document import validated
from scheduler.core.spending.limits import LimitAction, Measure, ScopeKind
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.errors.config_errors import BadDocument
from support.builders.invalid_documents import problem_of

GOOD = """{
  "format": 1, "time_zone": "Europe/Berlin",
  "limits": [
    {"name": "vision", "team": "vision", "gpu_hours": 500, "warn_at": 0.9, "then": "stop"},
    {"name": "everybody", "owner": "*", "dollars": 1000.5},
    {"name": "moon", "tag": "project=moon", "dollars": 200},
    {"name": "projects", "tag": "project", "gpu_hours": 0}
  ]
}"""
TEAMS, TYPES = ("vision", "speech"), ("ml.g5.xlarge",)


def test_a_good_document_is_read() -> None:
    first, second, *_ = validated(GOOD, TEAMS, TYPES, SNAPSHOT).limits
    assert (first.kind, first.scope_name, first.measure, first.most) == (
        ScopeKind.TEAM,
        "vision",
        Measure.GPU_HOURS,
        Decimal(500),
    )
    assert (first.warn_at, first.then) == (Decimal("0.9"), LimitAction.STOP)
    assert (second.most, second.warn_at, second.then) == (Decimal("1000.5"), Decimal("0.8"), LimitAction.HOLD)


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('"time_zone": "Europe/Berlin",', "", 1, "time_zone", "missing"),
        ("Europe/Berlin", "Mars", 2, "time_zone", "name of a time zone"),
        ('"name": "moon"', '"name": "vision"', 6, "limits[2].name", "name of a limit above"),
        ('"team": "vision", ', "", 4, "limits[0].owner", "exactly one"),
        ('"team": "vision"', '"team": "vision", "owner": "*"', 4, "limits[0].owner", "exactly one"),
        ('"team": "vision"', '"team": "visoin"', 4, "limits[0].team", "one of the stack's teams (speech, vision)"),
        ('"team": "vision"', '"group": "vision"', 4, "limits[0].group", "not a known member"),
        ('"owner": "*"', '"owner": "ada"', 5, "limits[1].owner", "role/NAME"),
        ('"tag": "project=moon"', '"tag": "=moon"', 6, "limits[2].tag", "KEY=VALUE"),
        ('"gpu_hours": 500', '"gpu_hours": -1', 4, "limits[0].gpu_hours", "must be 0 or more"),
        ('"gpu_hours": 500', '"gpu_hours": "500"', 4, "limits[0].gpu_hours", "must be a number"),
        ('"gpu_hours": 500', '"gpu_hours": 500, "dollars": 1', 4, "limits[0].gpu_hours", "exactly one"),
        ('"warn_at": 0.9', '"warn_at": 90', 4, "limits[0].warn_at", "at most 1"),
        ('"stop"', '"kill"', 4, "limits[0].then", "must be one of hold, stop"),
        ('"tag": "project", "gpu_hours": 0', '"tag": "project=moon", "dollars": 3', 7, "limits[3].dollars", "above"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(lambda text: validated(text, TEAMS, TYPES, SNAPSHOT), BadDocument, GOOD, good, bad, field)
    assert (problem.line, reason in problem.message) == (line, True)


def test_dollars_are_refused_while_a_type_of_the_budget_has_no_price() -> None:
    with pytest.raises(BadDocument) as refusal:
        validated(GOOD, TEAMS, (*TYPES, "ml.new.xlarge"), SNAPSHOT)
    assert [problem.field for problem in refusal.value.problems] == ["limits[1].dollars", "limits[2].dollars"]
    assert "no price of ml.new.xlarge is known; apply it first" in refusal.value.problems[0].message


def test_more_limits_than_one_transaction_can_count_are_refused() -> None:
    limits = ",".join(f'{{"name": "n{number}", "tag": "k{number}", "gpu_hours": 1}}' for number in range(41))
    with pytest.raises(BadDocument, match="at most 40"):
        validated(f'{{"format": 1, "time_zone": "UTC", "limits": [{limits}]}}', TEAMS, TYPES, SNAPSHOT)
