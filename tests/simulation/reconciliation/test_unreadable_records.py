"""Unreadable records keep their instances reserved, and delay no other job."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scheduler.adapters.dynamodb.records.job_records import job_from
from scheduler.adapters.dynamodb.records.request_bodies import digest_of_body
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from support.account.account import LOGS, Account
from support.account.simulated_queue import SimulatedQueue, request
from support.builders.jobs import changed_job
from support.faults.call_faults import NoFaults

CANARY = "canary-5f1e"


def test_an_attempt_that_cannot_be_read_keeps_its_instances_and_the_others_go_on() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", durations={"spoilt": 60, "one": 60, "two": 60})
    world.submit("spoilt")
    world.run(30)
    world.store.attempts["spoilt-sq-1"] = replace(world.store.attempts["spoilt-sq-1"], number=0)
    for name in ("one", "two"):
        world.submit(name, priority=5)
    world.run(30)
    assert [world.job(name).status.state for name in ("one", "two")] == [JobState.RUNNING, JobState.PENDING]
    world.run(900)
    assert [world.job(name).status.state for name in ("one", "two")] == [JobState.COMPLETED] * 2
    assert "spoilt-sq-1" in world.store.attempts


def test_a_live_job_that_cannot_be_read_is_left_alone() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"spoilt": 60})
    world.submit("spoilt")
    world.run(30)
    job = world.job("spoilt")
    corrupted = changed_job(
        job, state=JobState.PARKED, reason=replace(job.status.reason, code=ReasonCode.UNREADABLE_RECORD)
    )
    world.store.jobs["spoilt"] = corrupted
    world.run(900)
    assert world.job("spoilt") == corrupted


@pytest.fixture
def account() -> Iterator[Account]:
    """The functions and adapters as they are deployed, with one job that runs for ten minutes."""
    account = Account(NoFaults())
    account.ask("POST", "/add-job", request("first"))
    account.run(90)
    yield account
    account.close()


def corrupt(account: Account, pk: str, sk: str, **attributes: object) -> None:
    known = account.table.items.get((pk, sk), {"pk": {"S": pk}, "sk": {"S": sk}})
    account.table.write((pk, sk), {**known, **attributes})


def record(account: Account, name: str) -> Job:
    return job_from(account.table.items[f"JOB#{name}", "JOB"])


def state(account: Account, name: str) -> Any:
    return account.ask("GET", f"/jobs/{name}").body["state"]


def alarms(account: Account) -> int:
    return LOGS.getvalue().count('"unreadable record"')


@pytest.mark.parametrize(
    ("pk", "sk", "attribute"),
    [
        ("RECONCILIATION", "TRAINING", "next_at"),
        ("RECONCILIATION", "TRAINING", "unmanaged"),
        ("LEDGER", "LEDGER", "fence"),
        ("LEDGER", "LEDGER", "wake_requests"),
        ("LEDGER", "LEDGER", "rate_limits"),
        ("LEDGER", "LEDGER", "lease_expires_at"),
        ("PAST", "OWNER#*", "runs"),
    ],
)
def test_what_a_cycle_can_learn_again_does_not_stop_it(account: Account, pk: str, sk: str, attribute: str) -> None:
    corrupt(account, pk, sk, **{attribute: {"S": "spoilt"}})
    account.ask("POST", "/add-job", request("second"))
    account.run(1800)
    assert [state(account, name) for name in ("first", "second")] == ["completed", "completed"]
    assert alarms(account) >= 1


def test_nothing_is_launched_on_an_unknown_budget(account: Account) -> None:
    corrupt(account, "CONTROLS", "CONTROLS", budget={"S": "spoilt"}, version={"N": "1"})
    assert account.ask("POST", "/add-job", request("second")).status == 201
    account.run(1800)
    shown = account.ask("GET", "/jobs/second").body
    assert (state(account, "first"), shown["state"], shown["reason"]["code"]) == (
        "completed",
        "pending",
        "unreadable_record",
    )
    assert alarms(account) >= 1
    account.table.write(("CONTROLS", "CONTROLS"), None)
    account.run(1800)
    assert state(account, "second") == "completed"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/budget", None),
        ("PUT", "/budget", {"budget": {"ml.m5.large": 1}}),
        ("DELETE", "/budget", None),
        ("POST", "/drain", None),
    ],
)
def test_operators_are_notified_of_their_broken_record(account: Account, method: str, path: str, body: Any) -> None:
    corrupt(account, "CONTROLS", "CONTROLS", budget={"S": "spoilt"}, version={"N": "1"})
    answer = account.ask(method, path, body)
    assert (answer.status, answer.body["error"]) == (503, "unreadable_record")
    assert "deletes it" in answer.body["remedy"]


def kept(body: object) -> dict[str, Any]:
    """As the adapter keeps it."""
    return {"body": {"B": zlib.compress(json.dumps(body).encode())}}


BODIES = {
    "missing": None,
    "broken": {"body": {"B": b"no zlib"}},
    "gone from S3": {"body_key": {"S": "requests/nowhere"}},
    "no object": kept(["resnet"]),
    "tags that are none": kept(request("spoilt", Tags={"priority": "5"})),
    "a tag without a value": kept(request("spoilt", Tags=[{"Key": "priority"}])),
    "a limit that is none": kept(request("spoilt", StoppingCondition=86_400)),
}


def spoil_body(account: Account, name: str, attributes: dict[str, Any] | None) -> None:
    """Stores another body, or none. The job has its digest: a body that nobody replaced may be broken all the same."""
    key = (f"REQUEST#{name}", "0")
    content = (attributes or {}).get("body", {}).get("B")
    if isinstance(content, bytes):
        corrupt(account, f"JOB#{name}", "JOB", body_digests={"L": [{"S": digest_of_body(content)}]})
    account.table.write(key, attributes and {"pk": {"S": key[0]}, "sk": {"S": key[1]}, **attributes})


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_job_whose_request_cannot_be_read_is_parked_and_the_others_go_on(account: Account, body: Any) -> None:
    account.ask("POST", "/jobs", {"request": request("spoilt", 5), "options": {"hold": True}})
    spoil_body(account, "spoilt", body)
    account.ask("POST", "/jobs/spoilt/release")
    account.ask("POST", "/add-job", request("second"))
    account.run(1800)
    corrupted = record(account, "spoilt")
    assert (corrupted.status.state, corrupted.status.reason.code) == (JobState.PARKED, ReasonCode.UNREADABLE_REQUEST)
    assert [record(account, name).status.state for name in ("first", "second")] == [JobState.COMPLETED] * 2
    assert alarms(account) >= 1


def test_a_job_with_a_member_that_this_version_does_not_know_fails_with_the_reason(account: Account) -> None:
    account.ask("POST", "/jobs", {"request": request("newer", 5), "options": {"hold": True}})
    spoil_body(account, "newer", kept(request("newer", Future={"Secret": CANARY})))
    account.ask("POST", "/jobs/newer/release")
    account.ask("POST", "/add-job", request("second"))
    before = LOGS.tell()
    account.run(1800)
    newer = record(account, "newer")
    assert (newer.status.state, newer.status.reason.code) == (JobState.FAILED, ReasonCode.CREATE_REFUSED)
    assert [record(account, name).status.state for name in ("first", "second")] == [JobState.COMPLETED] * 2
    assert CANARY not in newer.status.reason.message + LOGS.getvalue()[before:]


def test_a_launch_that_was_cut_off_ends_although_this_version_cannot_send_its_request_again(account: Account) -> None:
    cut_off = {"created": {"BOOL": False}}
    account.table.write(("LIVE", "first-sq-1"), {**account.table.items["LIVE", "first-sq-1"], **cut_off})
    spoil_body(account, "first", kept(request("first", Future=1)))
    account.run(1800)
    first = record(account, "first")
    assert (first.status.state, first.status.attempts) == (JobState.COMPLETED, 1)


def test_a_launch_that_was_cut_off_is_found_in_sagemaker_although_its_request_is_lost(account: Account) -> None:
    account.table.write(
        ("LIVE", "first-sq-1"), {**account.table.items["LIVE", "first-sq-1"], "created": {"BOOL": False}}
    )
    spoil_body(account, "first", None)
    account.run(1800)
    first = record(account, "first")
    assert (first.status.state, first.status.attempts) == (JobState.COMPLETED, 1)


def test_the_end_of_a_job_is_recorded_although_its_request_is_lost(account: Account) -> None:
    spoil_body(account, "first", None)
    account.simulation.fail("first-sq-1", "InternalServerError: again")
    account.run(600)
    first = record(account, "first")
    assert (first.status.state, first.status.history[0].outcome) == (JobState.FAILED, Outcome.FAILED)


@pytest.mark.parametrize(("path", "body"), [("/jobs/first/cancel", None), ("/add-job", request("first"))])
def test_users_see_that_a_job_cannot_be_read(account: Account, path: str, body: Any) -> None:
    corrupt(account, "JOB#first", "JOB", demand={"S": "two"})
    answer = account.ask("POST", path, body)
    assert (answer.status, answer.body["error"]) == (503, "unreadable_record")
