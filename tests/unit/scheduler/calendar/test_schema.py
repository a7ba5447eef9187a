"""A calendar is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.calendar.calendar import Calendar
from scheduler.core.sections.schema import ConfigKind
from support.builders.configurations import a_stack
from support.builders.invalid_sections import change_of, problems_of

STACK = a_stack("ml.g5.xlarge=2,ml.p5.48xlarge=0")
GOOD = """{

  "time_zone": "Europe/Berlin",
  "excess": "preempt",
  "windows": [
    {"name": "nights", "budget": {"ml.g5.xlarge": 8},
     "weekly": ["mon 20:00 - tue 07:00", "fri 20:00 - mon 07:00"]},
    {"name": "works", "budget": {"*": 0}, "drain": "30m", "excess": "stop",
     "begins": "2026-12-24T08:00", "ends": "2026-12-24T18:00Z"},
    {"name": "guests", "budget": {"ml.p5.48xlarge": 4},
     "begins": "2026-12-25T08:00", "ends": "2026-12-26T18:00"}
  ]
}"""


def read(text: str) -> Calendar:
    return change_of(ConfigKind.CALENDAR, text, STACK).after.calendar


def problems(text: str) -> list[tuple[int | None, str, str]]:
    found = problems_of(ConfigKind.CALENDAR, text, STACK)
    return [(problem.line, problem.field, problem.message) for problem in found]


def test_a_good_calendar_is_read() -> None:
    nights, works, _ = read(GOOD).windows
    assert (nights.name, len(nights.weekly), works.drain_minutes) == ("nights", 2, 30)


def test_the_time_zone_is_that_of_the_world_unless_it_is_given() -> None:
    assert (str(read(GOOD).time_zone), str(read("{}").time_zone)) == ("Europe/Berlin", "UTC")


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('"Europe/Berlin"', '"Europe/Atlantis"', 3, "time_zone", "name of a time zone"),
        ('"time_zone"', '"timezone"', 3, "timezone", "is not a known member; did you mean time_zone?"),
        ('"time_zone": "Europe/Berlin"', '"time_zone": 1', 3, "time_zone", "name of a time zone"),
        ('"time_zone": "Europe/Berlin"', '"time_zone": "../etc/passwd"', 3, "time_zone", "name of a time zone"),
        ('"preempt"', '"kill"', 4, "excess", "must be one of finish, preempt, stop"),
        ('{"ml.g5.xlarge": 8}', '{"ml.g6.xlarge": 8}', 6, "windows[0].budget", "not in the stack's InstanceBudget"),
        ('{"ml.g5.xlarge": 8}', '{"g5": 8}', 6, "windows[0].budget", "neither an instance type"),
        ('{"ml.g5.xlarge": 8}', '{"ml.g5.xlarge": -1}', 6, "windows[0].budget", "must be 0 to"),
        ('{"ml.g5.xlarge": 8}', '{"ml.g5.xlarge": 1.5}', 6, "windows[0].budget.ml.g5.xlarge", "whole number"),
        ('{"ml.g5.xlarge": 8}', "{}", 6, "windows[0].budget", "is empty"),
        ('"mon 20:00 - tue 07:00"', '"mon 20:00"', 7, "windows[0].weekly[0]", "must be like"),
        ('"mon 20:00 - tue 07:00"', '"mon 24:00 - tue 07:00"', 7, "windows[0].weekly[0]", "use 00:00 to 23:59"),
        ('"mon 20:00 - tue 07:00"', '"mon 20:00 - mon 20:00"', 7, "windows[0].weekly[0]", "ends at the same time"),
        ('"mon 20:00 - tue 07:00"', '"mon 06:00 - tue 07:00"', 7, "windows[0].weekly[1]", "overlaps an entry above"),
        ('"works"', '"nights"', 8, "windows[1].name", "name of a window above"),
        ('"works"', '"a b"', 8, "windows[1].name", "letters"),
        ('"drain": "30m"', '"drain": "9999m"', 8, "windows[1].drain", "whole minutes, and at most a day"),
        ('"drain": "30m"', '"drain": "90s"', 8, "windows[1].drain", "whole minutes"),
        ('"drain": "30m"', '"drain": 30', 8, "windows[1].drain", "30 has no unit; write 30s"),
        ('"2026-12-24T08:00"', '"2026-12-24T20:00"', 9, "windows[1].ends", "not after its beginning"),
        ('"2026-12-24T08:00"', '"tomorrow"', 9, "windows[1].begins", "must be a time such as"),
        ('"2026-12-24T08:00"', '"9999-12-31T23:00"', 9, "windows[1].begins", "a time from 2000 to 2099"),
        ('"begins": "2026-12-24T08:00", ', "", 8, "windows[1].begins", "is missing"),
        ('"begins": "2026-12-24T08:00", "ends": "2026-12-24T18:00Z"', '"weekly": []', 9, "windows[1].weekly",
         "is missing; set it"),
        ('"2026-12-25T08:00"', '"2026-12-24T17:00"', 11, "windows[2].begins", "overlaps the window 'works'"),
        ('"drain": "30m"', '"drain_minutes": 30', 8, "windows[1].drain_minutes", "is not a known member"),
        ('"drain": "30m"', '"drain": "30m",\n"drain": "1m"', 9, "windows[1].drain", "given twice, first on line 8"),
    ],
)  # fmt: skip
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    assert good in GOOD
    found = problems(GOOD.replace(good, bad, 1))
    assert [(at, where) for at, where, _ in found] == [(line, f"calendar.{field}")]
    assert reason in found[0][2]


@pytest.mark.parametrize(
    ("spans", "drain"),
    [
        ('"sun 22:00 - mon 08:00"', "0s"),  # over the end of the week, into the end of the window above
        ('"tue 07:00 - tue 08:00"', "30m"),  # only its draining meets the window above
        ('"wed 00:00 - tue 00:00"', "0s"),  # nearly always
    ],
)
def test_weekly_windows_of_one_type_do_not_overlap(spans: str, drain: str) -> None:
    other = f'{{"name": "other", "budget": {{"ml.g5.xlarge": 4}}, "weekly": [{spans}], "drain": "{drain}"}},'
    found = problems(GOOD.replace('{"name": "works"', f'{other}\n    {{"name": "works"', 1))
    assert [(where, message[:28]) for _, where, message in found] == [
        ("calendar.windows[1].weekly", "overlaps the window 'nights'")
    ]


def test_windows_that_touch_or_name_other_types_do_not_overlap() -> None:
    touching = '{"name": "day", "budget": {"ml.g5.xlarge": 1}, "weekly": ["tue 07:00 - tue 20:00"]},'
    another = '{"name": "other", "budget": {"ml.p5.48xlarge": 1}, "weekly": ["mon 20:00 - tue 07:00"]},'
    text = GOOD.replace('{"name": "works"', f'{touching}\n    {another}\n    {{"name": "works"', 1)
    assert len(read(text).windows) == 5


def test_too_many_changes_are_refused() -> None:
    times = [f'"{day} {hour:02}:00 - {day} {hour:02}:30"' for day in ("mon", "tue", "wed", "thu") for hour in range(24)]
    windows = [f'{{"name": "w{n}", "budget": {{"*": {n}}}, "weekly": [{", ".join(times[n::3])}]}}' for n in range(3)]
    text = f'{{"windows": [{{}}{", ".join(windows)}]}}'
    assert len(read(text.replace("{}", "")).windows) == 3
    more = '{"name": "more", "budget": {"*": 1}, "weekly": ["sat 01:00 - sat 02:00", "sat 03:00 - sat 04:00", '
    more += '"sat 05:00 - sat 06:00", "sat 07:00 - sat 08:00", "sat 09:00 - sat 10:00"]}, '
    assert problems(text.replace("{}", more)) == [
        (1, "calendar.windows", "must have at most 100 weekly times in total")
    ]


@pytest.mark.parametrize("text", ["", "[]", "7", '{"format": 1}', '{"windows": {}}', "{windows: [}"])
def test_what_is_no_calendar_is_refused(text: str) -> None:
    assert problems(text)


def test_a_window_that_has_ended_is_accepted_with_a_warning_so_that_a_file_can_be_applied_again() -> None:
    once = '"2026-12-24T08:00", "ends": "2026-12-24T18:00Z"'
    assert once in GOOD
    text = GOOD.replace(once, '"2025-12-24", "ends": "2025-12-25"')
    change = change_of(ConfigKind.CALENDAR, text, STACK)
    assert change.warnings == ("calendar.windows[1] 'works' has passed; remove it",)
    assert change_of(ConfigKind.CALENDAR, GOOD, STACK).warnings == ()
