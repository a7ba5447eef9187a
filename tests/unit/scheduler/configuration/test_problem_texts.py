"""The problem of a wrong entry names its field, its value, and the values that are allowed."""

import pytest

from scheduler.core.sections.schema import ConfigKind
from support.builders.invalid_sections import problems_of

RULE = '{"rules": [{"name": "small", "kind": "instances_per_job", "most": 4}]}'
CALLER = '[{"name": "vision", "principals": ["role/Vision"], "verbs": ["operate"]}]'
WINDOW = '{"time_zone": "UTC", "windows": [{"name": "night", "weekly": ["mon 20:00 - tue 07:00"], "budget": {"*": 0}}]}'
LIMIT = '{"time_zone": "UTC", "limits": [{"name": "all", "owner": "*", "dollars": 5}]}'
#: A section, the wrong text in place of a good one, and the problem.
WRONG = [
    (ConfigKind.RULES, RULE, '"small"', "7", "rules.rules[0].name must be nonempty text, not 7"),
    (ConfigKind.RULES, RULE, "4", '"four"', "rules.rules[0].most must be a whole number, not 'four'"),
    (ConfigKind.RULES, RULE, "4", "true", "rules.rules[0].most must be a whole number, not true"),
    (
        ConfigKind.RULES,
        RULE,
        '"small"',
        '"a b"',
        "rules.rules[0].name must be 1 to 64 letters, digits, - and _, not 'a b'",
    ),
    (ConfigKind.POLICY, "patience: 1m", "1m", "8d", "policy.patience must be from 0s to 1w, not '8d'"),
    (
        ConfigKind.POLICY,
        "patience: 1m",
        "1m",
        "90",
        "policy.patience must be a duration such as 90s, 5m, 1h30m, 2d or 1w, not 90: 90 has no unit; write 1m30s",
    ),
    (ConfigKind.POLICY, "ordering: fifo", "fifo", "lifo", "policy.ordering must be one of fifo, shortest, not 'lifo'"),
    (
        ConfigKind.IDLE_GPUS,
        "window: 20m",
        "20m",
        "30s",
        "idle_gpus.window must be whole minutes from 1m to 24h, not '30s'",
    ),
    (
        ConfigKind.CALLERS,
        CALLER,
        "role/Vision",
        "Vision",
        "callers[0].principals[0] must be role/NAME, user/NAME, person/ID, the ARN of a role or a user, root, or *, "
        "not 'Vision' (which also matches any text in a name)",
    ),
    (
        ConfigKind.CALENDAR,
        WINDOW,
        "tue 07:00",
        "mon 20:00",
        "calendar.windows[0].weekly[0] 'mon 20:00 - mon 20:00' begins and ends at the same time: change one of them",
    ),
    (
        ConfigKind.SPENDING,
        LIMIT,
        '"*"',
        '"all"',
        "spending.limits[0].owner must be role/NAME, user/NAME, person/ID, root, or * for each owner separately, "
        "not 'all'",
    ),
    (
        ConfigKind.PRICES,
        "as_of: 2026-11-20",
        "2026-11-20",
        "soon",
        "prices.as_of must be a day such as 2026-11-22, not 'soon'",
    ),
]


@pytest.mark.parametrize(("kind", "section", "good", "bad", "expected"), WRONG)
def test_a_problem_has_field_value_and_what_is_allowed(
    kind: ConfigKind, section: str, good: str, bad: str, expected: str
) -> None:
    assert good in section
    problems = problems_of(kind, section.replace(good, bad, 1))
    assert expected in [f"{problem.field} {problem.message}" for problem in problems]


@pytest.mark.parametrize("value", ['["a", "b"]', '{"a": "b"}'])
def test_lists_and_objects_are_not_shown(value: str) -> None:
    [problem] = problems_of(ConfigKind.RULES, RULE.replace("4", value, 1))
    assert problem.message == "must be a whole number"
