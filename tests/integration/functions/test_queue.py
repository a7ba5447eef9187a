"""Operators read and change the queue as a whole."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest

from integration.functions.conftest import ADA, configure
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]


def test_the_budget_is_changed_and_goes_back_to_the_parameter(call: Call) -> None:
    parameter = call("GET", "/budget")[1]
    assert (parameter["budget"]["ml.m5.large"], parameter["source"]) == (2, "parameter")
    assert parameter["stop_over_budget"] is False
    changed = {"budget": {"ml.g5.xlarge": 0, "ml.m5.large": 4}, "source": "operator", "stop_over_budget": True}
    wish = {"budget": {"ml.m5.large": 4, "ml.g5.xlarge": 0}, "stop_over_budget": True}
    for answer in (call("PUT", "/budget", wish), call("PUT", "/budget", wish), call("GET", "/budget")):
        assert answer[0] == 200
        assert {name: answer[1][name] for name in changed} == changed
        assert (answer[1]["changed_by"], [period["budget"] for period in answer[1]["periods"]]) == (
            ADA,
            [wish["budget"]],
        )
    assert call("GET", "/jobs")[1]["budget"]["ml.m5.large"] == {"limit": 4, "held": 0}
    for answer in (call("DELETE", "/budget"), call("GET", "/budget")):
        assert answer[0] == 200
        assert {name: answer[1][name] for name in changed} == {name: parameter[name] for name in changed}


def test_the_instances_of_processing_jobs_are_changed(call: Call) -> None:
    status, answer = call("PUT", "/budget", {"budget": {"ml.m5.large": 4, "ml.m5.large@processing": 2}})
    assert (status, answer["budget"]) == (200, {"ml.m5.large": 4, "ml.m5.large@processing": 2})


def test_jobs_are_stopped_for_a_budget_only_if_that_is_said(call: Call) -> None:
    call("PUT", "/budget", {"budget": {"ml.m5.large": 1}, "stop_over_budget": True})
    assert call("PUT", "/budget", {"budget": {"ml.m5.large": 1}})[1]["stop_over_budget"] is False


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "budget"),
        ({"budget": {}}, "budget"),
        ({"budget": [1]}, "budget"),
        ({"budget": {"m5.large": 1}}, "budget.m5.large"),
        ({"budget": {"ml.m5.large": -1}}, "budget.ml.m5.large"),
        ({"budget": {"ml.m5.large": True}}, "budget.ml.m5.large"),
        ({"budget": {"ml.m5.large": "2"}}, "budget.ml.m5.large"),
        ({"budget": {"ml.m5.large": 10**6}}, "budget.ml.m5.large"),
        ({"budget": {"ml.m5.large": 1.5}}, "budget.ml.m5.large"),
        ({"budget": {f"ml.m5.x{n}": 1 for n in range(101)}}, "budget"),
        ({"budget": {"ml.m5.large": 1}, "stop_over_budget": 1}, "stop_over_budget"),
        ({"budget": {"ml.m5.large": 1}, "stop": True}, "stop"),
    ],
)
def test_a_bad_budget_is_refused_with_its_field_and_the_old_one_holds(call: Call, body: object, field: str) -> None:
    status, answer = call("PUT", "/budget", body)
    assert (status, answer["error"], answer["field"]) == (400, "invalid_request", field)
    assert call("GET", "/budget")[1]["source"] == "parameter"


def test_a_drained_queue_accepts_nothing_new_until_it_is_resumed(call: Call) -> None:
    call("POST", "/add-job", request("known"))
    assert call("POST", "/drain") == (200, {"intake_open": False})
    for path, body in (("/add-job", request("new")), ("/jobs", {"request": request("new")})):
        status, error = call("POST", path, body)
        assert (status, error["error"]) == (409, "intake_closed")
    assert call("POST", "/add-job", request("known"))[0] == 200
    assert call("POST", "/resume") == (200, {"intake_open": True})
    assert call("POST", "/add-job", request("new"))[0] == 201


def test_a_team_sees_its_settings(call: Call) -> None:
    own = {
        "patience": "10m",
        "preemptions_per_job": 3,
        "preempt_within": "never",
        "owners": "fair",
        "priority_ceiling": 5,
    }
    configure(call, shares={"red": {"members": ["*Scientist*"], **own}, "blue": {"members": ["*Nlp*"]}})
    teams = call("GET", "/queue")[1]["teams"]
    assert teams["red"]["settings"] == {**own, "preemptions_per_job": "3", "priority_ceiling": "5"}
    assert teams["blue"]["settings"] == {}


def test_the_reason_of_a_job_in_a_fair_team_has_its_owners_use(
    call: Call, schedule: Callable[[], None], table: str
) -> None:
    """The use under the owner's key, which the end of its earlier jobs wrote, is read for this job."""
    configure(call, shares={"red": {"members": ["*"], "owners": "fair"}})
    for name in ("runs", "runs-too", "waits"):
        call("POST", "/add-job", request(name, StoppingCondition={"MaxRuntimeInSeconds": 36_000}))
    owner = call("GET", "/jobs/waits")[1]["owner"].rpartition("/")[0]
    past: dict[str, str | int] = {"weighted_seconds": 7200, "as_of": datetime.now(UTC).isoformat()}
    boto3.resource("dynamodb").Table(table).put_item(Item={"pk": "PAST", "sk": f"TEAM#red@{owner}", **past})
    schedule()
    parts = call("GET", "/jobs/waits/why")[1]["priority"]
    assert parts["owner_weighted_seconds"] == pytest.approx(2 * 36_000 * 0.115 + 7200, rel=0.01)


def test_a_team_sees_its_use_running_and_ended(call: Call, schedule: Callable[[], None], table: str) -> None:
    configure(call, shares={"red": {"members": ["*Scientist*"]}, "blue": {"members": ["*Nlp*"], "weight": 2}})

    def used() -> dict[str, float]:
        teams = call("GET", "/queue")[1]["teams"]
        return {name: team["used_weighted_seconds"] for name, team in teams.items()}

    assert used() == {"red": 0, "blue": 0}
    past: dict[str, str | int] = {
        "pk": "PAST",
        "sk": "TEAM#blue",
        "weighted_seconds": 7200,
        "as_of": datetime.now(UTC).isoformat(),
    }
    boto3.resource("dynamodb").Table(table).put_item(Item=past)
    assert used() == {"red": 0, "blue": pytest.approx(7200, rel=0.01)}
    call("POST", "/add-job", request("job", StoppingCondition={"MaxRuntimeInSeconds": 36_000}))
    schedule()
    # What it is expected to come to, at the price of ml.m5.large as its weight.
    running = {"red": pytest.approx(36_000 * 0.115, rel=0.01)}
    assert used() == {**running, "blue": pytest.approx(7200, rel=0.01)}
