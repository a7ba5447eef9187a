"""API calls that act on one job."""

from collections.abc import Callable
from typing import Any

import pytest

from integration.functions.conftest import ADA, configure
from local_sagemaker.simulation import Simulation
from scheduler.wiring import shared
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]


def test_a_job_is_held_and_released(call: Call) -> None:
    call("POST", "/add-job", request("resnet"))
    status, job = call("POST", "/jobs/resnet/hold")
    assert (status, job["state"], job["position"]) == (202, "held", None)
    assert job["reason"] == {"code": "held", "message": f"held by {ADA}"}
    status, job = call("POST", "/jobs/resnet/release")
    assert (status, job["state"], job["position"]) == (202, "pending", 1)


def test_a_cancelled_job_is_requeued(call: Call) -> None:
    call("POST", "/add-job", request("resnet"))
    call("POST", "/jobs/resnet/cancel")
    status, job = call("POST", "/jobs/resnet/requeue")
    assert (status, job["state"], job["position"]) == (202, "pending", 1)


def test_a_priority_and_a_place_on_top_change_the_order(call: Call) -> None:
    for name in ("a", "b", "c"):
        call("POST", "/add-job", request(name, instances=2))
    assert call("POST", "/jobs/c/update", {"options": {"priority": 1}})[0] == 202
    status, job = call("POST", "/jobs/b/top")
    assert (status, job["position"]) == (202, 2)
    assert {job["name"]: job["position"] for job in call("GET", "/jobs")[1]["jobs"]} == {"c": 1, "b": 2, "a": 3}


def test_the_request_keeps_the_tag_that_it_was_sent_with(call: Call) -> None:
    call("POST", "/add-job", request("resnet", priority=4))
    call("POST", "/jobs/resnet/update", {"options": {"priority": -4}})
    _, shown = call("GET", "/jobs/resnet")
    assert (shown["priority"], shown["request"]["Tags"]) == (-4, [{"Key": "priority", "Value": "4"}])


@pytest.mark.parametrize(("wish", "error"), [("release", "not_held"), ("top", "not_queued"), ("hold", "not_queued")])
def test_an_action_that_does_not_fit_the_state_is_refused_with_the_state(
    call: Call, schedule: Callable[[], None], wish: str, error: str
) -> None:
    call("POST", "/add-job", request("resnet"))
    schedule()
    status, answer = call("POST", f"/jobs/resnet/{wish}")
    assert (status, answer["error"]) == (409, error)
    assert answer["message"].startswith("resnet is running")


def test_calls_may_come_twice(call: Call, schedule: Callable[[], None]) -> None:
    call("POST", "/add-job", request("resnet"))
    for wish in ("hold", "release", "top", "requeue", "cancel"):
        first, again = call("POST", f"/jobs/resnet/{wish}"), call("POST", f"/jobs/resnet/{wish}")
        assert again == first
        assert first[0] == 202


def test_a_requeue_that_comes_again_later_does_not_stop_the_next_attempt(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    call("POST", "/add-job", request("resnet"))
    schedule()
    assert call("POST", "/jobs/resnet/requeue", {"attempt": 1})[1]["state"] == "stopping"
    schedule()
    sagemaker.run(600)  # until the attempt has stopped
    schedule()
    assert call("POST", "/jobs/resnet/requeue", {"attempt": 1})[1]["state"] == "running"


@pytest.mark.parametrize(
    ("body", "error", "field"),
    [
        ("?", "not_json", None),
        ({"attempt": "1"}, "invalid_request", "attempt"),
        ({"attempt": 2}, "invalid_request", "attempt"),
        ({"attempts": 1}, "invalid_request", "attempts"),
    ],
)
def test_a_bad_attempt_is_refused_with_its_field(call: Call, body: object, error: str, field: str | None) -> None:
    call("POST", "/add-job", request("resnet"))
    status, answer = call("POST", "/jobs/resnet/requeue", body)
    assert (status, answer["error"], answer["field"]) == (400, error, field)


@pytest.mark.parametrize(
    ("body", "error", "field"),
    [
        ("", "not_json", None),
        ("5", "invalid_request", None),
        ({}, "invalid_request", "options"),
        ({"options": {"priority": "5"}}, "invalid_request", "options.priority"),
        ({"options": {"priority": True}}, "invalid_request", "options.priority"),
        ({"options": {"priority": 5.0}}, "invalid_request", "options.priority"),
        ({"options": {"priority": 10_000}}, "invalid_request", "options.priority"),
        ({"options": {"prio": 5}}, "invalid_request", "options.prio"),
        ({"options": {"deadline": "tomorrow"}}, "invalid_request", "options.deadline"),
        ({"options": {"deadline_for": "start"}}, "invalid_request", "options.deadline_for"),
        ({"options": {"expires": "2001-01-01T00:00Z"}}, "invalid_request", "options.expires"),
        ({"options": {"retries": 500}}, "invalid_request", "options.retries"),
        ({"options": {"hold": True}}, "invalid_request", "options.hold"),
        ({"options": {"after_ok": ["other"]}}, "invalid_request", "options.after_ok"),
        ({"options": {"alternatives": []}}, "invalid_request", "options.alternatives"),
        ({"options": []}, "invalid_request", "options"),
        ({"priority": 5}, "invalid_request", "priority"),
        ({"max_runtime": 0}, "invalid_request", "max_runtime"),
        ({"max_runtime": 28 * 86_400 + 1}, "invalid_request", "max_runtime"),
        ({"max_runtime": True}, "invalid_request", "max_runtime"),
        ('{"max_runtime": 1, "max_runtime": 2}', "not_json", None),
        ('{"options": {"priority": NaN}}', "not_json", None),
    ],
)
def test_a_bad_update_is_refused_with_its_field(call: Call, body: object, error: str, field: str | None) -> None:
    call("POST", "/add-job", request("resnet", priority=4))
    before = call("GET", "/jobs/resnet")[1]
    status, answer = call("POST", "/jobs/resnet/update", body)
    assert (status, answer["error"], answer["field"]) == (400, error, field)
    assert call("GET", "/jobs/resnet")[1] == before


@pytest.mark.parametrize("wish", ["cancel", "hold", "release", "requeue", "top"])
@pytest.mark.parametrize("name", ["nobody", "a" * 3000])
def test_nothing_can_be_asked_of_an_unknown_job(call: Call, wish: str, name: str) -> None:
    status, answer = call("POST", f"/jobs/{name}/{wish}")
    assert (status, answer["error"]) == (404, "unknown_job")


def test_a_job_shows_the_actions_on_it_and_their_actors(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    configure(call, policy={"patience": "0s", "protected_run_time": "0s"})
    call("POST", "/add-job", request("resnet", instances=2))
    call("POST", "/jobs/resnet/update", {"options": {"priority": 1}})
    schedule()
    sagemaker.run(120)
    call("POST", "/add-job", request("urgent", priority=9))
    schedule()
    _, job = call("GET", "/jobs/resnet")
    assert [(action["kind"], action["by"]) for action in job["actions"]] == [
        ("updated", ADA),
        ("preempted", "queue"),
    ]
    assert job["actions"][0]["message"] == "priority from 0 to 1"
    assert "actions" not in call("GET", "/jobs")[1]["jobs"][0]


def test_an_update_changes_options_and_the_time_limit(call: Call, schedule: Callable[[], None]) -> None:
    sent = request("resnet") | {"StoppingCondition": {"MaxRuntimeInSeconds": 600, "MaxWaitTimeInSeconds": 4200}}
    call("POST", "/add-job", sent | {"EnableManagedSpotTraining": True})
    options = {"retries": 1, "notify": ["end"], "never_preempt": True, "deadline": "2099-01-01T00:00Z"}
    status, job = call("POST", "/jobs/resnet/update", {"options": options, "max_runtime": 900})
    assert (status, job["max_runtime"], job["options"]["retries"]) == (202, 900, 1)
    assert call("GET", "/jobs/resnet")[1]["request"]["StoppingCondition"] == {
        "MaxRuntimeInSeconds": 900,
        "MaxWaitTimeInSeconds": 4500,
    }
    _, job = call("POST", "/jobs/resnet/update", {"options": {"retries": None, "notify": None, "deadline": None}})
    assert (job["options"]["retries"], job["options"]["notify"], job["options"]["deadline"]) == (None, [], None)
    assert call("POST", "/add-job", sent | {"EnableManagedSpotTraining": True})[1]["max_runtime"] == 900  # the same job
    schedule()
    status, answer = call("POST", "/jobs/resnet/update", {"max_runtime": 300})
    assert (status, answer["error"]) == (409, "not_queued")


def test_an_alternative_keeps_its_own_time_limit_even_if_the_others_have_the_same(call: Call) -> None:
    own = {"ResourceConfig": {"InstanceType": "ml.g5.xlarge"}, "StoppingCondition": {"MaxRuntimeInSeconds": 900}}
    alternatives = [{"request": {"HyperParameters": {"batch": "8"}}}, {"request": own}]
    call("POST", "/jobs", {"request": request("resnet"), "options": {"alternatives": alternatives}})
    for limit in (900, 7200):
        assert call("POST", "/jobs/resnet/update", {"max_runtime": limit})[1]["max_runtime"] == limit
        choices = shared.job_stores().jobs.get("resnet").choices
        assert [choice.max_runtime for choice in choices] == [limit, limit, 900]


@pytest.mark.parametrize("deadline", [{}, {"deadline": "2099-01-01T00:00Z", "deadline_for": "start"}])
def test_a_deadline_and_what_it_is_for_can_be_reset_together(call: Call, deadline: dict[str, str]) -> None:
    call("POST", "/jobs", {"request": request("resnet"), "options": deadline})
    status, job = call("POST", "/jobs/resnet/update", {"options": {"deadline": None, "deadline_for": None}})
    assert (status, job["options"]["deadline"], job["options"]["deadline_for"]) == (202, None, "end")


def test_an_interactive_job_is_exempt_from_the_idle_check_again_after_a_reset(call: Call) -> None:
    options = {"interactive": True, "idle_exempt": False}
    assert not call("POST", "/jobs", {"request": request("notebook"), "options": options})[1]["options"]["idle_exempt"]
    job = call("POST", "/jobs/notebook/update", {"options": {"idle_exempt": None}})[1]
    assert job["options"]["idle_exempt"]


def test_a_longer_time_limit_obeys_the_rules_as_a_submission_does(call: Call) -> None:
    short = {"name": "short", "kind": "max_runtime", "at_most": "1h"}
    configure(call, rules={"rules": [short, {**short, "name": "shorter", "mode": "warn", "at_most": "10m"}]})
    call("POST", "/add-job", request("resnet") | {"StoppingCondition": {"MaxRuntimeInSeconds": 60}})
    status, answer = call("POST", "/jobs/resnet/update", {"max_runtime": 7200})
    assert (status, answer["error"], answer["violations"][0]["rule"]) == (422, "rule_violated", "short")
    _, job = call("POST", "/jobs/resnet/update", {"max_runtime": 1800})
    assert [warning["rule"] for warning in job["warnings"]] == ["shorter"]
    assert call("POST", "/jobs/resnet/update", {"max_runtime": 60})[1]["warnings"] == []
