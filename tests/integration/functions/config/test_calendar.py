"""The calendar of budgets: what GET /budget shows and what jobs get."""

from collections.abc import Callable
from typing import Any

import boto3

from integration.functions.conftest import configure
from support.account.simulated_queue import request
from support.builders.configurations import every_section

Call = Callable[..., tuple[int, dict[str, Any]]]

ALWAYS = ["mon 00:00 - tue 00:00", "tue 00:00 - mon 00:00"]


def a_calendar(budget: dict[str, int], **members: Any) -> dict[str, Any]:
    window = {"name": "always", "weekly": ALWAYS, "budget": budget, **members}
    return {"time_zone": "Europe/Berlin", "windows": [window]}


def test_without_a_calendar_the_parameter_holds(call: Call) -> None:
    status, budget = call("GET", "/budget")
    assert (status, budget["source"], budget["calendar_rests"], budget["changed_by"]) == (200, "parameter", False, None)
    assert [period["windows"] for period in budget["periods"]] == [[]]


def test_its_budget_holds_and_a_job_may_need_as_much(call: Call) -> None:
    assert call("POST", "/add-job", request("wide", instances=5))[1]["error"] == "over_budget"
    configure(call, calendar=a_calendar({"ml.m5.large": 5}))
    budget = call("GET", "/budget")[1]
    assert (budget["budget"]["ml.m5.large"], budget["source"]) == (5, "calendar")
    assert [period["budget"]["ml.m5.large"] for period in budget["periods"]][:1] == [5]
    assert call("POST", "/add-job", request("wide", instances=5))[0] == 201


def test_it_rests_while_an_operators_budget_is_set(call: Call) -> None:
    configure(call, calendar=a_calendar({"ml.m5.large": 5}))
    call("PUT", "/budget", {"budget": {"ml.m5.large": 1}})
    budget = call("GET", "/budget")[1]
    periods = [period["budget"] for period in budget["periods"]]
    assert (budget["calendar_rests"], periods) == (True, [{"ml.m5.large": 1}])
    call("DELETE", "/budget")
    assert call("GET", "/budget")[1]["source"] == "calendar"


def test_a_plan_shows_the_budgets_and_changes_nothing(call: Call) -> None:
    section = a_calendar({"*": 0}, weekly=["sat 00:00 - sun 00:00"], excess="stop")
    status, planned = call("POST", "/config/calendar/plan", section)
    closed = [period for period in planned["periods"] if period["windows"] == ["always"]]
    assert status == 200
    assert len(closed) in {4, 5}  # Saturdays of four weeks, which may begin within one
    assert {*closed[0]["budget"].values(), *closed[0]["excess"].values()} == {0, "stop"}
    assert call("GET", "/config")[1]["version"] == 0


def test_without_a_readable_calendar_nothing_starts_until_an_operator_applies_a_configuration(
    call: Call, table: str
) -> None:
    call("POST", "/add-job", request("one"))
    configure(call, calendar=a_calendar({"ml.m5.large": 5}))
    boto3.client("dynamodb").update_item(
        TableName=table,
        Key={"pk": {"S": "CONFIG"}, "sk": {"S": "00000001"}},
        UpdateExpression="SET sections = :text",
        ExpressionAttributeValues={":text": {"S": '{"calendar": {"format": 2}}'}},
    )
    assert call("GET", "/jobs/one/why")[1]["reason"]["code"] == "unreadable_record"
    configure(call, **every_section(calendar=a_calendar({"ml.m5.large": 1})))
    assert call("GET", "/jobs/one/why")[1]["reason"]["code"] == "fits"
