"""API calls that explain why a job waits, and when a job could start."""

from collections.abc import Callable
from typing import Any

import pytest

from integration.functions.conftest import configure
from support.account.simulated_queue import request
from support.builders.rules import a_rule, rule_set

Call = Callable[..., tuple[int, dict[str, Any]]]


def test_a_waiting_job_shows_its_position_its_reason_and_its_start(call: Call, schedule: Callable[[], None]) -> None:
    call("POST", "/add-job", request("first", 5, instances=2))
    schedule()
    call("POST", "/add-job", request("second", 5, instances=2))
    status, why = call("GET", "/jobs/second/why")
    assert status == 200
    assert (why["name"], why["state"], why["position"]) == ("second", "pending", 1)
    assert (why["reason"]["code"], why["waits_for"]) == ("waits_for_budget", ["first"])
    assert why["priority"]["priority"] == 5
    assert why["starts"]["earliest"] <= why["starts"]["latest"]
    assert why["starts"]["after"] == "first"


def test_a_job_that_does_not_wait_has_a_reason_only(call: Call) -> None:
    call("POST", "/jobs", {"request": request("held"), "options": {"hold": True}})
    _, why = call("GET", "/jobs/held/why")
    assert (why["state"], why["reason"]["code"]) == ("held", "held")
    assert (why["position"], why["waits_for"], why["priority"], why["starts"]) == (None, [], None, None)


def test_a_job_behind_many_of_its_kind_has_a_position_but_no_estimate(call: Call) -> None:
    for number in range(30):  # more of a kind than a cycle looks at
        call("POST", "/add-job", request(f"job{number}", instances=2))
    _, why = call("GET", "/jobs/job29/why")
    assert (why["position"], why["reason"]["code"]) == (30, "waits_behind")
    assert why["starts"] == {"earliest": None, "latest": None, "after": None}


def test_what_if_says_what_a_submission_would_lead_to_and_stores_nothing(call: Call) -> None:
    status, forecast = call("POST", "/what-if", {"request": request("new")})
    assert (status, forecast["starts_now"], forecast["behind"], forecast["preempts"]) == (200, True, 0, [])
    assert forecast["starts"]["after"] is None
    assert call("GET", "/jobs")[1]["jobs"] == []
    assert call("GET", "/jobs/new")[0] == 404


def test_what_if_counts_the_jobs_ahead_and_names_those_it_would_preempt(
    call: Call, schedule: Callable[[], None]
) -> None:
    call("POST", "/add-job", request("running", 5, instances=2))
    schedule()
    call("POST", "/add-job", request("ahead", 5, instances=2))
    assert call("POST", "/what-if", {"request": request("new", 5, instances=2)})[1]["behind"] == 1
    urgent = call("POST", "/what-if", {"request": request("new", 9, instances=2)})[1]
    assert (urgent["starts_now"], urgent["behind"]) == (False, 0)


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"request": request("taken", 1)}, 409, "name_taken"),
        ({"request": request("new", instances=3)}, 400, "over_budget"),
        ({"request": {}}, 400, "invalid_request"),
        ({}, 400, "invalid_request"),
    ],
)
def test_what_if_gives_the_refusal_that_a_submission_would_get(
    call: Call, body: dict[str, Any], status: int, error: str
) -> None:
    call("POST", "/add-job", request("taken"))
    answered, answer = call("POST", "/what-if", body)
    assert (answered, answer["error"]) == (status, error)


def test_a_forecast_has_each_choice_of_the_job_with_its_instances(call: Call) -> None:
    spot = {"EnableManagedSpotTraining": True, "StoppingCondition": {"MaxWaitTimeInSeconds": 90000}}
    other = {"request": {"ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2}, **spot}}
    body = {"request": request("new"), "options": {"alternatives": [other]}}
    choices = call("POST", "/what-if", body)[1]["choices"]
    needs = [(choice["instances"], choice["spot"]) for choice in choices]
    assert needs == [({"ml.m5.large": 1}, False), ({"ml.g5.xlarge": 2}, True)]
    assert len(call("POST", "/what-if", {"request": request("new")})[1]["choices"]) == 1


def test_what_if_starts_no_choice_that_needs_an_approval(call: Call, schedule: Callable[[], None]) -> None:
    call("POST", "/add-job", request("busy", instances=2, kind="ml.g5.xlarge"))
    schedule()
    configure(call, rules=rule_set(a_rule("approval", above_instances=1)))
    smaller = {"request": {"ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1}}}
    body = {"request": request("wide", instances=2), "options": {"alternatives": [smaller]}}
    forecast = call("POST", "/what-if", body)[1]
    assert (forecast["starts_now"], forecast["reason"]["code"]) == (False, "waits_for_budget")
    call("POST", "/jobs", body)
    schedule()
    job = call("GET", "/jobs/wide")[1]
    assert (job["state"], job["reason"]) == ("pending", forecast["reason"])


def test_what_if_is_refused_while_the_queue_is_drained(call: Call) -> None:
    call("POST", "/drain")
    assert call("POST", "/what-if", {"request": request("new")})[1]["error"] == "intake_closed"


def test_another_priority_names_the_jobs_that_it_would_stop_and_stores_nothing(
    call: Call, schedule: Callable[[], None]
) -> None:
    configure(call, policy={"patience": "0s", "protected_run_time": "0s"})
    call("POST", "/add-job", request("running", 5, instances=2))
    schedule()
    for name in ("first", "second"):
        call("POST", "/add-job", request(name, 1))
    wish = {"names": ["first", "second"], "priority": 6}
    assert call("POST", "/what-if-priority", wish) == (200, {"preempts": ["running"], "starts_now": []})
    assert call("POST", "/what-if-priority", {**wish, "priority": 4})[1]["preempts"] == []
    assert call("GET", "/jobs/first")[1]["priority"] == 1


def test_the_jobs_of_another_priority_are_jobs_of_the_queue_and_few(call: Call) -> None:
    assert call("POST", "/what-if-priority", {"names": ["nobody"], "priority": 1})[1]["error"] == "unknown_job"
    for wrong in ({"names": [], "priority": 1}, {"names": ["a"] * 1001, "priority": 1}, {"names": ["a"]}):
        assert call("POST", "/what-if-priority", wrong)[0] == 400
