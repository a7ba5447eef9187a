"""Operators' alarms: each notifies operators, and the runbook explains it."""

import re
from typing import Any

import pytest

from support.checkout import CHECKOUT
from support.stack.expanded_template import Stack

ALARMS = (
    "BrokenRecords",
    "BrokenRules",
    "DeadLetters",
    "MissedSweeps",
    "OldestWait",
    "Overshoots",
    "StuckStopping",
    "Throttles",
)
NOT_ON_LOGS = {"DeadLetters", "OldestWait"}
LOGGED = re.compile(r'\$\.message = "([^"]+)"')


def test_these_are_all_alarms(stack: Stack) -> None:
    assert set(stack.of_type("AWS::CloudWatch::Alarm")) == {f"{name}Alarm" for name in ALARMS}


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_notifies_operators(stack: Stack, name: str) -> None:
    assert _alarm(stack, name)["AlarmActions"] == [{"Ref": "Alerts"}]


def test_the_runbook_has_a_section_for_each_alarm() -> None:
    sections = re.findall(r"^## (\w+)Alarm$", (CHECKOUT / "docs/runbook.md").read_text(), re.MULTILINE)
    assert sorted(sections) == sorted(ALARMS)


def test_missing_data_is_an_alarm_only_where_data_is_expected(stack: Stack) -> None:
    silent = {name for name in ALARMS if _alarm(stack, name)["TreatMissingData"] == "breaching"}
    assert silent == {"MissedSweeps"}


def test_the_slowest_sweep_comes_three_times_before_it_is_missed(stack: Stack) -> None:
    minutes = max(int(rate.split()[0].removeprefix("rate(")) for rate in _sweep_rates(stack))
    assert _alarm(stack, "MissedSweeps")["Period"] == 3 * 60 * minutes
    assert _alarm(stack, "OldestWait")["Period"] == 60 * minutes


def test_an_alarm_on_logs_counts_what_its_filter_finds(stack: Stack) -> None:
    watched = [_alarm(stack, name)["MetricName"] for name in ALARMS if name not in NOT_ON_LOGS]
    assert set(_counted(stack)) == set(watched)


def test_broken_rules_are_counted_in_each_function_that_asks_the_rules(stack: Stack) -> None:
    filters = _counted(stack).pop("BrokenRules")
    assert sorted(found["LogGroupName"]["Ref"] for found in filters) == ["ApiLogs", "ScheduleLogs"]
    assert len({found["FilterPattern"] for found in filters}) == 1


def test_of_all_else_the_scheduler_alone_tells(stack: Stack) -> None:
    groups = {name: [one["LogGroupName"]["Ref"] for one in found] for name, found in _counted(stack).items()}
    assert {name: found for name, found in groups.items() if found != ["ScheduleLogs"]}.keys() == {"BrokenRules"}


def test_a_filter_matches_what_the_scheduler_logs(stack: Stack) -> None:
    code = _code("layers/scheduler/src", "functions/schedule")
    for found in stack.of_type("AWS::Logs::MetricFilter").values():
        for message in LOGGED.findall(found["FilterPattern"]):
            assert re.search(rf'logger\.\w+\(\s*"{message}"', code), message


def test_an_unreadable_document_is_in_both_logs(stack: Stack) -> None:
    logged = set(re.findall(r'logger\.error\("(unreadable [^"]+)"', _code("layers/scheduler/src")))
    assert {"unreadable rules", "unreadable spending limits", "unreadable prices"} < logged
    for found in _counted(stack)["BrokenRules"]:
        assert logged - {"unreadable record"} <= set(LOGGED.findall(found["FilterPattern"]))


def _code(*folders: str) -> str:
    return "".join(file.read_text() for folder in folders for file in (CHECKOUT / folder).rglob("*.py"))


def _alarm(stack: Stack, name: str) -> dict[str, Any]:
    return stack.of_type("AWS::CloudWatch::Alarm")[f"{name}Alarm"]


def _counted(stack: Stack) -> dict[str, list[dict[str, Any]]]:
    """The filters of each metric."""
    counted: dict[str, list[dict[str, Any]]] = {}
    for found in stack.of_type("AWS::Logs::MetricFilter").values():
        counted.setdefault(found["MetricTransformations"][0]["MetricName"], []).append(found)
    return counted


def _sweep_rates(stack: Stack) -> list[str]:
    rates: list[str] = stack.source["Parameters"]["SweepRate"]["AllowedValues"]
    return rates
