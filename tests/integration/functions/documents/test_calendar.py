"""API calls about the calendar of budgets."""

import json
from collections.abc import Callable
from typing import Any

import boto3

from integration.functions.conftest import ADA
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]
BOB = "arn:aws:sts::000000000000:assumed-role/Nlp/bob"

ALWAYS = ["mon 00:00 - tue 00:00", "tue 00:00 - mon 00:00"]


def a_calendar(budget: dict[str, int], **members: Any) -> str:
    window = {"name": "always", "weekly": ALWAYS, "budget": budget, **members}
    return json.dumps({"format": 1, "time_zone": "Europe/Berlin", "windows": [window]})


def test_without_a_calendar_the_parameter_holds(call: Call) -> None:
    status, calendar = call("GET", "/calendar")
    assert (status, calendar["version"], calendar["rests"]) == (200, 0, False)
    assert [period["windows"] for period in calendar["periods"]] == [[]]
    assert call("PUT", "/calendar", calendar["text"])[0] == 200


def test_a_calendar_is_put_into_force_and_read_back_as_it_was_sent(call: Call) -> None:
    text = a_calendar({"ml.m5.large": 5})
    status, applied = call("PUT", "/calendar", text)
    assert (status, applied["version"], applied["changed_by"], applied["text"]) == (200, 1, ADA, text)
    assert applied["periods"][0]["budget"]["ml.m5.large"] == 5
    assert call("GET", "/calendar")[1]["text"] == text


def test_its_budget_holds_and_a_job_may_need_as_much(call: Call) -> None:
    assert call("POST", "/add-job", request("wide", instances=5))[1]["error"] == "over_budget"
    call("PUT", "/calendar", a_calendar({"ml.m5.large": 5}))
    budget = call("GET", "/budget")[1]
    assert (budget["budget"]["ml.m5.large"], budget["source"]) == (5, "calendar")
    assert call("POST", "/add-job", request("wide", instances=5))[0] == 201


def test_it_rests_while_an_operators_budget_is_set(call: Call) -> None:
    call("PUT", "/calendar", a_calendar({"ml.m5.large": 5}))
    call("PUT", "/budget", {"budget": {"ml.m5.large": 1}})
    calendar = call("GET", "/calendar")[1]
    assert (calendar["rests"], [period["budget"] for period in calendar["periods"]]) == (True, [{"ml.m5.large": 1}])
    call("DELETE", "/budget")
    assert call("GET", "/budget")[1]["source"] == "calendar"


def test_a_dry_run_reports_the_budgets_and_changes_nothing(call: Call) -> None:
    text = a_calendar({"*": 0}, weekly=["sat 00:00 - sun 00:00"], excess="stop")
    status, trial = call("POST", "/calendar/check", text)
    closed = [period for period in trial["periods"] if period["windows"] == ["always"]]
    assert status == 200
    assert len(closed) in {4, 5}  # Saturdays of four weeks, which may begin within one
    assert {*closed[0]["budget"].values(), *closed[0]["excess"].values()} == {0, "stop"}
    assert call("GET", "/calendar")[1]["version"] == 0


def test_what_is_wrong_is_refused_with_line_and_reason_and_the_old_one_stays(call: Call) -> None:
    status, error = call("PUT", "/calendar", a_calendar({"ml.g99.xlarge": 1}))
    assert (status, error["error"], error["field"]) == (400, "bad_calendar", "windows[0].budget")
    assert "InstanceBudget" in error["problems"][0]["message"]
    call("PUT", "/calendar", a_calendar({"ml.m5.large": 5}))
    assert call("PUT", "/calendar", a_calendar({"ml.m5.large": 6}), replaces="0")[1]["error"] == "stale_calendar"


def test_only_operators_change_it(call: Call) -> None:
    assert call("PUT", "/calendar", a_calendar({"ml.m5.large": 5}), caller=BOB)[1]["error"] == "not_permitted"
    assert call("GET", "/calendar", caller=BOB)[1]["version"] == 0


def test_without_a_readable_calendar_nothing_starts_until_an_operator_says_what_the_budget_is(
    call: Call, table: str
) -> None:
    call("PUT", "/calendar", a_calendar({"ml.m5.large": 5}))
    boto3.client("dynamodb").update_item(
        TableName=table,
        Key={"pk": {"S": "CALENDAR"}, "sk": {"S": "00000001"}},
        UpdateExpression="SET #text = :text",
        ExpressionAttributeNames={"#text": "text"},
        ExpressionAttributeValues={":text": {"S": '{"format": 2}'}},
    )
    call("POST", "/add-job", request("one"))
    assert call("GET", "/jobs/one/why")[1]["reason"]["code"] == "unreadable_record"
    call("PUT", "/budget", {"budget": {"ml.m5.large": 1}})
    assert call("GET", "/jobs/one/why")[1]["reason"]["code"] == "fits"
