"""The budget that a calendar gives at a moment."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scheduler.core.calendar.calendar import Calendar, Excess, Period, periods
from scheduler.core.jobs.budget import Budget
from support.builders.configurations import a_configuration

STACK = Budget.parse("ml.g5.xlarge=2,ml.p5.48xlarge=1")
NIGHTS = {"name": "nights", "weekly": ["mon 20:00 - tue 07:00"], "budget": {"ml.g5.xlarge": 8}}
CLOSED = {
    "name": "closed",
    "begins": "2026-11-23T22:00",
    "ends": "2026-11-24T02:00",
    "budget": {"*": 0},
    "excess": "stop",
}


def a_calendar(*windows: dict[str, Any], zone: str = "Europe/Berlin", **members: Any) -> Calendar:
    return a_configuration(calendar={"time_zone": zone, "windows": [*windows], **members}).calendar


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def budget_at(calendar: Calendar, stack: Budget, time: datetime) -> Period:
    return next(periods(calendar, stack, time, time))


def counts(calendar: Calendar, when: str) -> tuple[int, int]:
    limit = budget_at(calendar, STACK, at(when)).budget.limit
    return limit["ml.g5.xlarge"], limit["ml.p5.48xlarge"]


def test_outside_its_windows_the_stacks_own_budget_holds() -> None:
    assert counts(a_calendar(NIGHTS), "2026-11-21T12:00") == (2, 1)
    assert budget_at(a_calendar(NIGHTS), STACK, at("2026-11-21T12:00")).windows == ()


@pytest.mark.parametrize(
    ("when", "is_open"),
    [
        ("2026-11-23T18:59:59", False),  # Monday, 19:59:59 in Berlin
        ("2026-11-23T19:00", True),
        ("2026-11-24T05:59:59", True),
        ("2026-11-24T06:00", False),
        ("2026-07-13T18:00", True),  # in summer it opens an hour earlier
    ],
)
def test_a_weekly_window_is_open_in_local_time(when: str, is_open: bool) -> None:
    assert counts(a_calendar(NIGHTS), when) == (8 if is_open else 2, 1)


def test_a_window_over_the_end_of_the_week_goes_on_on_monday() -> None:
    weekend = a_calendar({"name": "weekend", "weekly": ["fri 20:00 - mon 07:00"], "budget": {"ml.g5.xlarge": 8}})
    assert [counts(weekend, f"2026-11-{day}T12:00")[0] for day in (20, 21, 22, 23)] == [2, 8, 8, 2]
    assert counts(weekend, "2026-11-23T05:00") == (8, 1)


def test_a_window_that_is_open_once_comes_before_a_weekly_one() -> None:
    calendar = a_calendar(CLOSED, NIGHTS)
    found = [counts(calendar, when) for when in ("2026-11-23T20:00", "2026-11-23T22:00", "2026-11-24T01:00")]
    assert found == [(8, 1), (0, 0), (8, 1)]


def test_a_local_time_that_the_change_of_clocks_leaves_out_is_an_hour_later() -> None:
    calendar = a_calendar({"name": "w", "weekly": ["sun 02:30 - sun 05:00"], "budget": {"ml.g5.xlarge": 8}})
    assert counts(calendar, "2026-03-29T01:29") == (2, 1)
    assert counts(calendar, "2026-03-29T01:30") == (8, 1)  # 03:30 in Berlin, which had no 02:30 that day
    assert counts(calendar, "2026-03-29T03:00") == (2, 1)


def test_a_window_within_the_hour_that_the_change_of_clocks_leaves_out_opens_an_hour_later() -> None:
    calendar = a_calendar({"name": "w", "weekly": ["sun 02:10 - sun 02:50"], "budget": {"ml.g5.xlarge": 8}})
    found = [counts(calendar, f"2026-03-29T01:{minute}")[0] for minute in ("09", "10", "49", "50")]
    assert found == [2, 8, 8, 2]  # open from 03:10 to 03:50 in Berlin


@pytest.mark.parametrize("span", ["sun 02:00 - sun 03:00", "sun 02:30 - sun 03:00", "sun 02:30 - sun 03:15"])
def test_a_window_that_the_change_of_clocks_swallows_is_not_open_that_day(span: str) -> None:
    calendar = a_calendar({"name": "w", "weekly": [span], "budget": {"ml.g5.xlarge": 8}})
    assert [period.windows for period in periods(calendar, STACK, at("2026-03-28T12:00"), at("2026-03-30"))] == [()]


def test_a_window_over_an_hour_that_comes_twice_lasts_an_hour_longer() -> None:
    calendar = a_calendar({"name": "w", "weekly": ["sun 01:00 - sun 04:00"], "budget": {"ml.g5.xlarge": 8}})
    edges = [period.begins for period in periods(calendar, STACK, at("2026-10-24T12:00"), at("2026-10-26"))][1:]
    assert edges[1] - edges[0] == timedelta(hours=4)


def test_a_smaller_budget_holds_already_while_the_window_drains() -> None:
    calendar = a_calendar(CLOSED | {"drain": "60m"})
    assert [counts(calendar, f"2026-11-23T{time}") for time in ("19:59", "20:00")] == [(2, 1), (0, 0)]


def test_a_windows_excess_applies_while_it_drains() -> None:
    calendar = a_calendar(CLOSED | {"drain": "60m"}, excess="preempt")
    rules = [budget_at(calendar, STACK, at(f"2026-11-23T{time}")).excess for time in ("19:59", "20:00")]
    assert [rule.of("ml.g5.xlarge") for rule in rules] == [Excess.PREEMPT, Excess.STOP]


def test_a_larger_budget_is_not_there_before_its_window_opens() -> None:
    calendar = a_calendar(NIGHTS | {"drain": "60m"})
    assert counts(calendar, "2026-11-23T18:30") == (2, 1)


def test_a_weekly_window_under_one_that_is_open_once_does_not_drain() -> None:
    fair = {"name": "fair", "begins": "2026-11-23T08:00", "ends": "2026-11-23T18:00", "budget": {"ml.g5.xlarge": 12}}
    lunch = {"name": "lunch", "weekly": ["mon 12:00 - mon 13:00"], "budget": {"*": 0}, "drain": "30m"}
    calendar = a_calendar(fair, lunch, zone="UTC")
    assert counts(calendar, "2026-11-23T11:45") == (12, 0)  # the other type drains
    assert counts(calendar, "2026-11-30T11:45") == (0, 0)  # a week later there is no fair


def test_a_window_that_is_open_once_drains_over_a_weekly_one() -> None:
    works = {"name": "works", "begins": "2026-11-24T02:00", "ends": "2026-11-24T04:00", "budget": {"ml.g5.xlarge": 1}}
    calendar = a_calendar(NIGHTS, works | {"drain": "60m"}, zone="UTC")
    assert [counts(calendar, f"2026-11-24T0{hour}:30")[0] for hour in range(6)] == [8, 1, 1, 1, 8, 8]


def test_the_changes_to_come_are_those_that_are_found_when_their_time_has_come() -> None:
    lunch = {"name": "lunch", "weekly": [f"{day} 12:00 - {day} 13:00" for day in ("mon", "tue")], "budget": {"*": 0}}
    calendar = a_calendar(NIGHTS | {"drain": "90m"}, lunch | {"drain": "30m"}, CLOSED)
    begin = at("2026-11-22T00:10")
    coming = [*periods(calendar, STACK, begin, begin + timedelta(days=9))]
    for minutes in range(0, 9 * 24 * 60, 20):
        time = begin + timedelta(minutes=minutes)
        known = [period for period in coming if period.begins <= time][-1]
        found = budget_at(calendar, STACK, time)
        assert (known.budget, known.excess) == (found.budget, found.excess)


def test_each_type_has_the_window_s_way_with_jobs_that_hold_more() -> None:
    calendar = a_calendar(CLOSED, NIGHTS | {"weekly": ["mon 20:00 - tue 07:00"], "excess": "finish"}, excess="preempt")
    night = budget_at(calendar, STACK, at("2026-11-23T20:00")).excess
    assert [night.of("ml.g5.xlarge"), night.of("ml.p5.48xlarge")] == [Excess.FINISH, Excess.PREEMPT]
    assert budget_at(calendar, STACK, at("2026-11-23T22:00")).excess.of("ml.g5.xlarge") is Excess.STOP


def test_coming_changes_are_listed_in_order() -> None:
    coming = [*periods(a_calendar(NIGHTS, CLOSED, zone="UTC"), STACK, at("2026-11-23T12:00"), at("2026-11-24T12:00"))]
    assert [(f"{one.begins:%H:%M}", one.budget.limit["ml.g5.xlarge"]) for one in coming] == [
        ("12:00", 2),
        ("20:00", 8),
        ("22:00", 0),
        ("02:00", 8),
        ("07:00", 2),
    ]


def test_the_most_is_what_a_job_may_ever_ask_for() -> None:
    assert a_calendar(NIGHTS, CLOSED).largest_budget(STACK, at("2026-11-21T12:00")) == Budget.parse(
        "ml.g5.xlarge=8,ml.p5.48xlarge=1"
    )
