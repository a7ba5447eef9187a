"""Approvals over the REST API: who may approve, what is recorded, and what an approval covers."""

from collections.abc import Callable
from typing import Any

import pytest

from integration.functions.conftest import ADA, configure
from support.account.simulated_queue import request
from support.builders.callers import an_entry
from support.builders.rules import a_rule, rule_set

Call = Callable[..., tuple[int, dict[str, Any]]]

BOB = "arn:aws:sts::000000000000:assumed-role/Intern/bob"
MAY_SUBMIT = [an_entry(f"role/{name}", name=name, verbs=["submit", "control_own"]) for name in ("Intern", "Scientist")]
LARGE = rule_set(a_rule("approval", name="large", above_instances=1))


@pytest.fixture(autouse=True)
def _rules(call: Call) -> None:
    configure(call, rules=LARGE, callers=MAY_SUBMIT)


def submit_wide(call: Call, caller: str = BOB) -> dict[str, Any]:
    status, job = call("POST", "/add-job", request("wide", instances=2), caller=caller)
    assert status == 201
    return job


def test_a_large_job_waits_for_an_approval_and_its_submitter_is_told(call: Call) -> None:
    job = submit_wide(call)
    message = "needs approval: large: 2 instances are more than 1"
    assert (job["state"], job["reason"]) == ("parked", {"code": "needs_approval", "message": message})
    assert [(one["rule"], one["message"]) for one in job["warnings"]] == [("large", "2 instances are more than 1")]
    assert call("GET", "/jobs/wide/why", caller=BOB)[1]["reason"]["code"] == "needs_approval"
    assert call("POST", "/add-job", request("narrow"), caller=BOB)[1]["state"] == "pending"


def test_an_operator_approves_it_once_and_the_history_says_who(call: Call) -> None:
    submit_wide(call)
    status, job = call("POST", "/jobs/wide/approve")
    assert (status, job["state"], job["warnings"]) == (202, "pending", [])
    approved = call("GET", "/jobs/wide")[1]["actions"][-1]
    assert (approved["kind"], approved["by"].rpartition("/")[2]) == ("approved", "ada")
    assert approved["message"] == "2 × ml.m5.large for 86400 s"
    again = call("POST", "/jobs/wide/approve")[1]
    assert [action["kind"] for action in call("GET", "/jobs/wide")[1]["actions"]].count("approved") == 1
    assert again["state"] == "pending"


def test_a_job_that_is_parked_before_its_start_shows_what_an_approval_covers(
    call: Call, schedule: Callable[[], None]
) -> None:
    other = {"request": {"ResourceConfig": {"InstanceType": "ml.g5.xlarge"}}}
    body = {"request": request("wide", instances=2), "options": {"alternatives": [other], "hold": True}}
    assert call("POST", "/jobs", body, caller=BOB)[0] == 201
    call("POST", "/jobs/wide/release", caller=BOB)
    schedule()
    job = call("GET", "/jobs/wide")[1]
    assert (job["state"], job["instances"]) == ("parked", {"ml.m5.large": 2})
    message = "needs approval: large: 2 instances are more than 1"
    assert job["reason"] == {"code": "needs_approval", "message": message}


def test_nobody_approves_a_job_of_their_own_and_only_operators_approve(call: Call) -> None:
    submit_wide(call)
    status, error = call("POST", "/jobs/wide/approve", caller=BOB)
    assert (status, error["error"]) == (403, "not_permitted")
    call("POST", "/add-job", request("own", instances=2))
    status, error = call("POST", "/jobs/own/approve")
    assert (status, error["error"]) == (403, "not_permitted")
    assert error["message"] == "role/Scientist owns the job, and cannot approve it"
    other_session = "arn:aws:sts::000000000000:assumed-role/Scientist/someone-else"
    assert call("POST", "/jobs/own/approve", caller=other_session)[0] == 403


def test_neither_a_requeue_nor_a_second_submission_replaces_an_approval(call: Call) -> None:
    submit_wide(call)
    assert call("POST", "/add-job", request("wide", instances=2), caller=BOB)[1]["state"] == "parked"
    assert call("POST", "/jobs/wide/release", caller=BOB)[1]["error"] == "not_held"


def test_an_approval_covers_no_longer_time_limit(call: Call) -> None:
    submit_wide(call)
    call("POST", "/jobs/wide/approve")
    assert call("POST", "/jobs/wide/update", {"max_runtime": 3600}, caller=BOB)[1]["state"] == "pending"
    longer = call("POST", "/jobs/wide/update", {"max_runtime": 90000}, caller=BOB)[1]
    assert (longer["state"], longer["reason"]["code"]) == ("parked", "needs_approval")
    assert call("POST", "/jobs/wide/approve")[1]["state"] == "pending"


def test_a_job_that_is_changed_to_need_no_approval_waits_in_the_queue(call: Call) -> None:
    configure(call, rules=rule_set(a_rule("approval", name="dear", above_dollars=0.2)))
    job = call("POST", "/add-job", request("long", instances=2), caller=BOB)[1]
    assert (job["state"], "are more than $0.2" in job["reason"]["message"]) == ("parked", True)
    assert call("POST", "/jobs/long/update", {"max_runtime": 60}, caller=BOB)[1]["state"] == "pending"
    status, error = call("POST", "/jobs/long/approve")
    assert (status, error["error"]) == (409, "no_approval_needed")


def test_a_parked_job_that_becomes_larger_says_so_to_its_approver(call: Call) -> None:
    configure(call, rules=rule_set(a_rule("approval", name="dear", above_dollars=0.2)))
    before = call("POST", "/add-job", request("long", instances=2), caller=BOB)[1]["reason"]
    longer = call("POST", "/jobs/long/update", {"max_runtime": 28 * 86400}, caller=BOB)[1]
    assert (longer["state"], longer["reason"]["code"]) == ("parked", "needs_approval")
    assert longer["reason"]["message"] != before["message"]
    assert longer["reason"]["message"] == f"needs approval: dear: {longer['warnings'][0]['message']}"
    call("POST", "/jobs/long/update", {"options": {"priority": 1}}, caller=BOB)
    actions = [action["kind"] for action in call("GET", "/jobs/long")[1]["actions"]]
    assert actions == ["parked", "updated", "parked", "updated"]


def test_an_approval_that_names_a_time_limit_covers_no_longer_one(call: Call) -> None:
    seen = submit_wide(call)["max_runtime"]
    call("POST", "/jobs/wide/update", {"max_runtime": seen + 60}, caller=BOB)
    status, error = call("POST", "/jobs/wide/approve", {"max_runtime": seen})
    assert (status, error["field"]) == (400, "max_runtime")
    assert error["message"] == "max_runtime is 86400, but wide may now run for 86460 s"
    assert call("GET", "/jobs/wide")[1]["state"] == "parked"
    call("POST", "/jobs/wide/update", {"max_runtime": seen - 60}, caller=BOB)
    assert call("POST", "/jobs/wide/approve", {"max_runtime": seen})[1]["state"] == "pending"


@pytest.mark.parametrize("change", ["loosened", "exempted"])
def test_an_approval_returns_a_job_that_needs_none_any_more_to_the_queue(call: Call, change: str) -> None:
    submit_wide(call)
    wide = {"rules": ["large"], "jobs": {"name": "wide"}, "owner": "ops", "reason": "ok", "expires_at": "2099-01-01"}
    rules = {
        "loosened": rule_set(a_rule("approval", name="large", above_instances=2)),
        "exempted": {**LARGE, "exemptions": [wide]},
    }
    configure(call, rules=rules[change])
    status, job = call("POST", "/jobs/wide/approve")
    assert (status, job["state"]) == (202, "pending")
    assert "approved" not in [action["kind"] for action in call("GET", "/jobs/wide")[1]["actions"]]


def test_a_user_whose_path_has_changed_still_owns_the_job(call: Call) -> None:
    ops = an_entry("user/ops", name="ops", verbs=["submit", "operate"])
    configure(call, rules=LARGE, callers=[*MAY_SUBMIT, ops])
    submit_wide(call, caller="arn:aws:iam::000000000000:user/ops")
    moved = "arn:aws:iam::000000000000:user/research/ops"
    status, error = call("POST", "/jobs/wide/approve", caller=moved)
    assert (status, error["message"]) == (403, "user/ops owns the job, and cannot approve it")


def array_of(name: str) -> dict[str, Any]:
    checkpoints = {"S3Uri": "s3://bucket/checkpoints/${index}"}
    body = request(name, instances=2, HyperParameters={"seed": "${seed}"}, CheckpointConfig=checkpoints)
    return {"request": body, "parameters": {"seed": [1, 2, 3]}}


def array_of_bob(call: Call, **members: Any) -> str:
    status, answer = call("POST", "/arrays", {**array_of("grid"), **members}, caller=BOB)
    assert status == 201, answer
    return "/arrays/grid"


def test_an_approval_of_an_array_covers_the_jobs_that_exist_and_those_to_come(
    call: Call, schedule: Callable[[], None]
) -> None:
    array = array_of_bob(call, at_most=1)
    schedule()
    assert call("GET", "/jobs/grid-0")[1]["reason"]["code"] == "needs_approval"
    seen = call("GET", array)[1]
    assert (seen["instances"], seen["max_runtime"], seen["approved_by"]) == ({"ml.m5.large": 2}, 86400, None)
    status, approved = call("POST", f"{array}/approve", {"max_runtime": 86400})
    assert (status, approved["approved_by"]) == (202, ADA)
    assert call("POST", f"{array}/approve")[0] == 202
    schedule()
    child = call("GET", "/jobs/grid-0")[1]
    assert child["state"] in {"launching", "running"}
    assert [(one["kind"], one["by"]) for one in child["actions"] if one["kind"] == "approved"] == [("approved", ADA)]
    call("POST", "/jobs/grid-0/cancel")
    schedule()
    assert {job["reason"]["code"] for job in call("GET", "/jobs")[1]["jobs"]}.isdisjoint({"needs_approval"})


def test_an_array_is_approved_only_by_another_operator_and_only_if_it_needs_it(call: Call) -> None:
    array = array_of_bob(call)
    status, error = call("POST", f"{array}/approve", caller=BOB)
    assert (status, error["error"]) == (403, "not_permitted")
    status, error = call("POST", f"{array}/approve", {"max_runtime": 86399})
    assert (status, error["field"]) == (400, "max_runtime")
    configure(call, rules=rule_set(a_rule("approval", name="large", above_instances=2)))
    status, error = call("POST", f"{array}/approve")
    assert (status, error["error"], error["message"]) == (409, "no_approval_needed", "grid needs no approval")
    call("POST", f"{array}/cancel")
    assert call("POST", f"{array}/approve")[1]["error"] in {"already_finished", "no_approval_needed"}


def test_nobody_approves_their_own_array(call: Call) -> None:
    call("POST", "/arrays", array_of("own"))
    status, error = call("POST", "/arrays/own/approve")
    assert (status, error["message"]) == (403, "role/Scientist owns the job, and cannot approve it")


def test_a_child_with_a_longer_time_limit_needs_its_own_approval(call: Call, schedule: Callable[[], None]) -> None:
    array = array_of_bob(call)
    schedule()
    call("POST", "/jobs/grid-1/update", {"max_runtime": 90000}, caller=BOB)
    call("POST", f"{array}/approve")
    schedule()
    codes = {job["name"]: job["reason"]["code"] for job in call("GET", "/jobs")[1]["jobs"]}
    assert codes["grid-1"] == "needs_approval"
    assert codes["grid-2"] != "needs_approval"


def test_many_jobs_are_approved_with_the_time_limits_that_the_approver_has_seen(call: Call) -> None:
    submit_wide(call)
    call("POST", "/add-job", request("wider", instances=2), caller=BOB)
    call("POST", "/jobs/wider/update", {"max_runtime": 90000}, caller=BOB)
    seen = {"wide": 86400, "wider": 86400}
    answer = call("POST", "/change-jobs", {"change": "approve", "names": [*seen], "max_runtimes": seen})[1]
    assert answer["changed"] == ["wide"]
    assert [(one["name"], one["error"]) for one in answer["refused"]] == [("wider", "invalid_request")]
    for wrong in ({"names": ["wide"]}, {"names": ["wide"], "max_runtimes": {"wide": "1"}}, {"filter": {"owner": "x"}}):
        assert call("POST", "/change-jobs", {"change": "approve", **wrong})[0] == 400


def test_an_approval_does_not_bypass_another_rule(call: Call) -> None:
    submit_wide(call)
    configure(call, rules=rule_set(LARGE["rules"][0], a_rule("instances_per_job", most=1)))
    assert call("POST", "/jobs/wide/approve")[1]["state"] == "pending"
    assert call("POST", "/add-job", request("wider", instances=2), caller=BOB)[1]["error"] == "rule_violated"


def test_a_forecast_says_that_the_job_would_wait_for_an_approval(call: Call) -> None:
    forecast = call("POST", "/what-if", {"request": request("wide", instances=2)}, caller=BOB)[1]
    assert (forecast["starts_now"], forecast["reason"]["code"]) == (False, "needs_approval")


def test_a_rule_that_only_warns_lets_the_job_wait_in_the_queue(call: Call) -> None:
    configure(call, rules=rule_set(a_rule("approval", name="large", above_instances=1, mode="warn")))
    job = submit_wide(call)
    assert (job["state"], [one["rule"] for one in job["warnings"]]) == ("pending", ["large"])
