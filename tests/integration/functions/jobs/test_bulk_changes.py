"""Changes of many jobs with one call: those of a filter, or of a list of names."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from integration.functions.conftest import ADA, configure
from local_sagemaker.simulation import Simulation
from scheduler.queue import bulk_actions
from scheduler.wiring import shared
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]
BOB = "arn:aws:iam::000000000000:root"
NOTHING = {"changed": [], "refused": [], "left": 0, "is_left_exact": True, "next": None}


@pytest.fixture
def several(call: Call, schedule: Callable[[], None]) -> None:
    """One of each: running, pending of two owners and priorities, held, stopped."""
    call("POST", "/add-job", request("running", 9, instances=2))
    schedule()
    call("POST", "/add-job", request("low"))
    call("POST", "/add-job", request("high", 3), caller=BOB)
    call("POST", "/jobs", {"request": request("kept"), "options": {"hold": True}})
    call("POST", "/add-job", request("ended"))
    call("POST", "/jobs/ended/cancel")


@pytest.fixture
def change(call: Call) -> Callable[..., dict[str, Any]]:
    def post(kind: str, caller: str = BOB, **body: Any) -> dict[str, Any]:
        status, answer = call("POST", "/change-jobs", {"change": kind, **body}, caller=caller)
        assert status == 200, answer
        return answer

    return post


def states(call: Call) -> dict[str, str]:
    return {job["name"]: job["state"] for job in call("GET", "/jobs")[1]["jobs"]}


def test_each_change_takes_the_jobs_to_which_it_applies(
    call: Call, several: None, change: Callable[..., dict[str, Any]]
) -> None:
    everything = {"instance_type": "ml.m5.large"}
    assert change("hold", filter=everything) == NOTHING | {"changed": ["high", "low"]}
    assert change("hold", filter=everything) == NOTHING
    assert change("release", filter=everything)["changed"] == ["high", "low", "kept"]
    assert change("priority", filter=everything, priority=7)["changed"] == ["running", "high", "low", "kept"]
    assert call("GET", "/jobs/low")[1]["priority"] == 7
    assert change("requeue", filter={"state": ["stopped"]})["changed"] == ["ended"]
    assert change("cancel", filter=everything)["changed"] == ["running", "low", "high", "kept", "ended"]
    assert set(states(call).values()) == {"stopping", "stopped"}


def test_a_call_acts_on_as_many_as_its_limit_and_says_how_many_are_left(
    call: Call, several: None, change: Callable[..., dict[str, Any]]
) -> None:
    wish: dict[str, Any] = {"filter": {"instance_type": "ml.m5.large"}, "limit": 3}
    first = change("cancel", **wish)
    assert (first["changed"], first["left"], first["is_left_exact"]) == (["running", "high", "low"], 1, True)
    assert change("cancel", **wish, next=first["next"]) == NOTHING | {"changed": ["kept"]}


def test_a_call_ends_in_time_and_says_how_many_are_left(
    several: None, change: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_actions, "MOST_TIME", timedelta(microseconds=1))
    first = change("cancel", filter={"instance_type": "ml.m5.large"})
    assert (first["changed"], first["left"]) == (["running"], 3)
    assert change("cancel", names=["high", "low", "kept"]) == NOTHING | {"changed": ["high"], "left": 2}


def test_a_job_that_refuses_does_not_keep_the_others_from_their_turn(
    several: None, change: Callable[..., dict[str, Any]]
) -> None:
    done = change("hold", names=["running", "unknown", "low", "low"])
    assert done["changed"] == ["low"]
    assert [(refused["name"], refused["error"]) for refused in done["refused"]] == [
        ("running", "not_queued"),
        ("unknown", "unknown_job"),
    ]
    assert all(refused["message"] for refused in done["refused"])


def test_a_list_longer_than_the_limit_leaves_the_rest(several: None, change: Callable[..., dict[str, Any]]) -> None:
    assert change("top", names=["high", "low"], limit=1) == NOTHING | {"changed": ["high"], "left": 1}
    assert change("hold", names=["high", "low"], limit=1) == NOTHING | {"changed": ["high"], "left": 1}


def test_a_filter_may_select_the_callers_own_jobs_or_those_of_an_owner(
    call: Call, several: None, change: Callable[..., dict[str, Any]]
) -> None:
    assert change("hold", caller=ADA, filter={"mine": True})["changed"] == ["low"]
    assert change("cancel", filter={"mine": True})["changed"] == ["high"]
    adas = {"owner": "ada", "state": ["held", "running"]}
    assert change("cancel", filter=adas)["changed"] == ["running", "low", "kept"]


def test_what_has_ended_is_not_cancelled_again(several: None, change: Callable[..., dict[str, Any]]) -> None:
    assert change("cancel", filter={"state": ["stopped"]}) == NOTHING


def test_a_second_cancel_hastens_jobs_that_may_save_first(
    call: Call, several: None, change: Callable[..., dict[str, Any]]
) -> None:
    named = {"name": "running"}
    assert change("cancel", filter=named, save_first=True)["changed"] == ["running"]
    assert change("cancel", filter=named, save_first=True) == NOTHING
    assert change("priority", filter=named, priority=7) == NOTHING
    assert change("cancel", filter=named)["changed"] == ["running"]
    assert change("cancel", filter=named) == NOTHING


def test_a_repeated_requeue_of_a_list_stops_no_later_attempt(
    call: Call,
    several: None,
    change: Callable[..., dict[str, Any]],
    schedule: Callable[[], None],
    sagemaker: Simulation,
) -> None:
    requeue: dict[str, Any] = {"names": ["running", "ended"], "attempts": {"running": 1, "ended": 0}}
    assert change("requeue", **requeue)["changed"] == ["running", "ended"]
    schedule()
    sagemaker.run(600)
    schedule()
    assert [attempt["number"] for attempt in call("GET", "/jobs/running")[1]["attempts"]] == [1, 2]
    assert change("requeue", **requeue)["changed"] == ["running", "ended"]
    assert states(call)["running"] == "running"


@pytest.fixture
def ended(call: Call) -> list[str]:
    """Four jobs of one owner that have ended."""
    names = [f"ended-{number}" for number in range(4)]
    for name in names:
        call("POST", "/add-job", request(name))
        call("POST", f"/jobs/{name}/cancel")
    return names


def requeue(names: Sequence[str]) -> dict[str, Any]:
    return {"names": names, "attempts": dict.fromkeys(names, 0)}


def test_a_requeue_of_many_ended_jobs_reads_the_waiting_jobs_once(
    call: Call, ended: list[str], change: Callable[..., dict[str, Any]]
) -> None:
    call("POST", "/jobs", {"request": request("kept"), "options": {"hold": True}})
    read: list[bytes] = []
    shared.table().client.meta.events.register(
        "before-call.dynamodb.Query", lambda params, **_: read.append(params["body"])
    )
    assert change("requeue", **requeue(ended))["changed"] == ended
    assert len([body for body in read if b"HELD_OR_PARKED" in body]) == 1


def test_jobs_that_a_call_has_requeued_count_for_the_cap_of_their_owner(
    call: Call, ended: list[str], change: Callable[..., dict[str, Any]]
) -> None:
    configure(call, policy={"queued_per_owner": 3})
    call("POST", "/add-job", request("waiting"))
    call("POST", "/add-job", request("of-bob"), caller=BOB)
    call("POST", "/jobs/of-bob/cancel")
    done = change("requeue", **requeue([*ended, "of-bob"]))
    assert done["changed"] == ["ended-0", "ended-1", "of-bob"]
    assert [(refused["name"], refused["error"]) for refused in done["refused"]] == [
        ("ended-2", "owner_cap"),
        ("ended-3", "owner_cap"),
    ]


def test_answers_say_which_jobs_the_caller_may_change(call: Call, several: None) -> None:
    viewer = "arn:aws:iam::000000000000:user/eve"
    for caller, expected in ((BOB, {"low": True, "high": True}), (viewer, {"low": False, "high": False})):
        jobs = call("GET", "/jobs", caller=caller)[1]["jobs"]
        assert expected.items() <= {job["name"]: job["may_control"] for job in jobs}.items()
        assert call("GET", "/jobs/low", caller=caller)[1]["may_control"] is expected["low"]


#: Bad calls, each with the field that its refusal names.
BAD: Sequence[tuple[object, str]] = (
    ({}, "change"),
    ({"change": "delete", "filter": {"name": "l"}}, "change"),
    ({"change": "cancel"}, "filter"),
    ({"change": "cancel", "filter": {"name": "l"}, "names": ["low"]}, "filter"),
    ({"change": "cancel", "filter": {}}, "filter"),
    ({"change": "cancel", "filter": {"mine": False}}, "filter"),
    ({"change": "cancel", "filter": {"mine": False, "name": ""}}, "filter.name"),
    ({"change": "cancel", "filter": {"state": ["pending"], "name": ""}}, "filter.name"),
    ({"change": "cancel", "filter": {"state": ["pending"], "owner": ""}}, "filter.owner"),
    ({"change": "cancel", "filter": {"state": ["pending"], "instance_type": ""}}, "filter.instance_type"),
    ({"change": "cancel", "filter": {"state": 5}}, "filter.state"),
    ({"change": "cancel", "filter": {"state": ["pending", 5]}}, "filter.state"),
    ({"change": "cancel", "filter": {"nme": "x"}}, "filter.nme"),
    ({"change": "cancel", "filter": {"owner": None, "state": ["pending"]}}, "filter.owner"),
    ({"change": "cancel", "filter": {"state": ["asleep"]}}, "filter.state"),
    ({"change": "cancel", "filter": {"state": []}}, "filter.state"),
    ({"change": "cancel", "filter": {"state": "pending"}}, "filter.state"),
    ({"change": "cancel", "filter": {"state": [["pending"]]}}, "filter.state"),
    ({"change": "cancel", "filter": {"mine": "true"}}, "filter.mine"),
    ({"change": "cancel", "filter": {"team": "unknown"}}, "filter.team"),
    ({"change": "cancel", "filter": {"name": ""}}, "filter.name"),
    ({"change": "cancel", "filter": {"name": "x"}, "limit": 0}, "limit"),
    ({"change": "cancel", "filter": {"name": "x"}, "limit": True}, "limit"),
    ({"change": "cancel", "filter": {"name": "x"}, "limit": 10**300}, "limit"),
    ({"change": "cancel", "filter": "all"}, "filter"),
    ({"change": "cancel", "names": []}, "names"),
    ({"change": "cancel", "names": ["low", 5]}, "names[1]"),
    ({"change": "cancel", "names": ["../low"]}, "names[0]"),
    ({"change": "cancel", "names": ["low"], "next": "x"}, "next"),
    ({"change": "cancel", "names": ["low"], "priority": 3}, "priority"),
    ({"change": "priority", "names": ["low"]}, "priority"),
    ({"change": "priority", "names": ["low"], "priority": 10**9}, "priority"),
    ({"change": "requeue", "filter": {"name": "e"}}, "filter.state"),
    ({"change": "requeue", "filter": {"state": ["failed", "running"]}}, "filter.state"),
    ({"change": "requeue", "names": ["running"]}, "attempts"),
    ({"change": "requeue", "names": ["running", "low"], "attempts": {"running": 1}}, "attempts"),
    ({"change": "requeue", "names": ["running"], "attempts": {"running": 1, "low": 0}}, "attempts"),
    ({"change": "requeue", "names": ["running"], "attempts": {"running": "1"}}, "attempts.running"),
    ({"change": "requeue", "names": ["running"], "attempts": {"running": True}}, "attempts.running"),
    ({"change": "cancel", "names": ["running"], "attempts": {"running": 1}}, "attempts"),
    ({"change": "requeue", "filter": {"state": ["failed"]}, "attempts": {"running": 1}}, "attempts"),
    ({"change": "top", "filter": {"name": "l"}}, "filter"),
)


def test_a_bad_call_changes_nothing(call: Call, several: None) -> None:
    before = states(call)
    for body, field in BAD:
        status, answer = call("POST", "/change-jobs", body)
        assert (status, answer["error"], answer["field"]) == (400, "invalid_request", field), body
        assert states(call) == before, body
