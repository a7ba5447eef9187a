"""A wrong type in a section is reported in the words of JSON, not of Python."""

import pytest

from scheduler.core.sections.schema import ConfigKind
from support.builders.invalid_sections import problems_of


@pytest.mark.parametrize(
    ("value", "ending"),
    [
        ("null", ", not null"),
        ("3", ", not 3"),
        ('"text"', ", not 'text'"),
        ("true", ", not true"),
        ("[]", ""),
        ("[null]", ""),
    ],
)
@pytest.mark.parametrize(
    ("kind", "section", "field"),
    [
        (ConfigKind.RULES, '{"rules": [VALUE]}', "rules.rules[0]"),
        (ConfigKind.RULES, '{"exemptions": [VALUE]}', "rules.exemptions[0]"),
        (ConfigKind.RULES, '{"failing": VALUE}', "rules.failing"),
        (ConfigKind.RETRIES, '{"patterns": [VALUE]}', "retries.patterns[0]"),
        (ConfigKind.RETRIES, '{"treatments": VALUE}', "retries.treatments"),
        (ConfigKind.RETRIES, '{"treatments": {"user": VALUE}}', "retries.treatments.user"),
        (ConfigKind.RETRIES, '{"leaving_spot": VALUE}', "retries.leaving_spot"),
        (ConfigKind.CALLERS, "[VALUE]", "callers[0]"),
        (ConfigKind.CALENDAR, '{"windows": [VALUE]}', "calendar.windows[0]"),
        (ConfigKind.POOLS, "[VALUE]", "pools[0]"),
        (ConfigKind.PRICES, '{"as_of": "2026-11-20", "prices": [VALUE]}', "prices.prices[0]"),
        (ConfigKind.SPENDING, '{"limits": [VALUE]}', "spending.limits[0]"),
        (ConfigKind.SHARES, '{"vision": VALUE}', "shares.vision"),
    ],
)
def test_a_member_that_must_be_an_object_is_reported(
    kind: ConfigKind, section: str, field: str, value: str, ending: str
) -> None:
    [problem] = problems_of(kind, section.replace("VALUE", value))
    assert (problem.line, problem.field, problem.message) == (1, field, f"must be an object{ending}")


@pytest.mark.parametrize("value", ["null", "3", '"text"', "true"])
@pytest.mark.parametrize("kind", ConfigKind)
def test_a_section_that_is_no_container_is_reported_with_its_line(kind: ConfigKind, value: str) -> None:
    (problem,) = problems_of(kind, f"\n{value}")
    assert problem.message.startswith(("The file must be ", "The file is empty"))
    assert problem.line == (None if value == "null" else 2)
