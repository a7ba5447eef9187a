"""The budgets of the past: operators' own ones, and those of the calendars that applied then."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from integration.functions.conftest import ADA, ROOT, configure
from support.account.function_wirings import clear_built, use_clock

Call = Callable[..., tuple[int, dict[str, Any]]]
#: A Sunday.
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
PARAMETER = {"ml.m5.large": 2, "ml.g5.xlarge": 2}


class Clock:
    def __init__(self) -> None:
        self.time = NOON

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return self.time.timestamp()

    def sleep(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock(table: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    del table  # the functions are wired
    clock = Clock()
    use_clock(lambda: clock, monkeypatch)
    clear_built()
    yield clock
    clear_built()


def at(hours: float) -> str:
    return (NOON + timedelta(hours=hours)).isoformat().replace("+00:00", "Z")


def listed(call: Call, since: float = 0) -> list[tuple[str, int, str, str | None]]:
    status, answer = call("GET", "/budget/history", since=at(since))
    assert status == 200
    members = ("begins", "budget", "source", "changed_by")
    told = [[past[member] for member in members] for past in answer["budgets"]]
    return [(begins, budget["ml.m5.large"], source, author) for begins, budget, source, author in told]


def test_without_a_change_today_is_as_yesterday(call: Call, clock: Clock) -> None:
    status, answer = call("GET", "/budget/history")
    yesterday = {"begins": at(-24), "budget": PARAMETER, "source": "parameter", "changed_by": None}
    assert (status, answer) == (200, {"budgets": [yesterday]})


def test_an_operators_budgets_are_listed_from_their_change_on(call: Call, clock: Clock) -> None:
    clock.time = NOON + timedelta(hours=1)
    call("PUT", "/budget", {"budget": {"ml.m5.large": 7}})
    clock.time = NOON + timedelta(hours=2)
    call("POST", "/drain", caller=ROOT)  # changes no budget
    clock.time = NOON + timedelta(hours=3)
    call("DELETE", "/budget")
    clock.time = NOON + timedelta(hours=5)
    assert listed(call) == [(at(0), 2, "parameter", None), (at(1), 7, "operator", ADA), (at(3), 2, "parameter", None)]
    assert listed(call, since=2.5) == [(at(2.5), 7, "operator", ADA), (at(3), 2, "parameter", None)]
    assert listed(call, since=4) == [(at(4), 2, "parameter", None)]


def test_the_calendar_of_that_time_counts_and_not_todays(call: Call, clock: Clock) -> None:
    window = {"name": "evenings", "weekly": ["sun 14:00 - sun 16:00"], "budget": {"ml.m5.large": 9}}
    configure(call, calendar={"time_zone": "UTC", "windows": [window]})
    clock.time = NOON + timedelta(hours=3)
    configure(call, calendar={"time_zone": "UTC", "windows": []})
    clock.time = NOON + timedelta(hours=6)
    assert listed(call) == [
        (at(0), 2, "parameter", None),
        (at(2), 9, "calendar", None),
        (at(3), 2, "parameter", None),
    ]


@pytest.mark.parametrize("since", [NOON + timedelta(seconds=1), NOON - timedelta(days=32), "yesterday"])
def test_another_time_is_refused(call: Call, clock: Clock, since: object) -> None:
    status, refusal = call("GET", "/budget/history", since=str(since))
    assert (status, refusal["field"]) == (400, "since")


def test_a_burst_of_changes_is_read_to_its_begin(call: Call, clock: Clock) -> None:
    for minute in range(60):
        clock.time = NOON + timedelta(minutes=minute)
        call("PUT", "/budget", {"budget": {"ml.m5.large": minute + 1}})
    clock.time = NOON + timedelta(hours=2)
    assert [budget for _, budget, _, _ in listed(call)] == [*range(1, 61)]
