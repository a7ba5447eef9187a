"""The functions of today on the records of earlier releases: what waited and ran goes on, and nothing is set aside.

The records are those that a commit left in the table of such a simulation, with a job in each of these states.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from builders.callers import ACCOUNT
from local_sagemaker.simulation import Course
from local_sagemaker.state_machine.behaviour import Behaviour
from scheduler.adapters.dynamodb.records.attribute_values import attribute_values
from scheduler.adapters.dynamodb.records.items import attempt_from, job_from
from scheduler.core.jobs.job import Job
from scheduler.core.requests.attempt_request import attempt_request
from simulation.account import LOGS, Account
from simulation.chaos import Calm
from simulation.expressions import Item
from simulation.harness import request
from simulation.table import Key

RECORDS = Path(__file__).parents[1] / "data" / "records"


@dataclass(frozen=True)
class Release:
    file: str
    were: Mapping[str, str]
    become: Mapping[str, str]  # what has not ended, and what ends


FIRST = {
    "cancelled": "stopped",
    "held": "held",
    "preempted": "preempted",
    "quick": "completed",
    "running": "running",
    "waiting": "pending",
}
ENDED = dict.fromkeys(("preempted", "quick", "running", "waiting"), "completed")
RELEASES = (
    Release("before-guardrails.json", FIRST, {**FIRST, **ENDED}),  # f9daf99
    # 90f75c0, with documents of rules and callers in force, a failure, and a job whose owner may run nothing any more
    Release(
        "before-capacity.json",
        {**FIRST, "crashed": "failed", "parked": "parked"},
        {**FIRST, **ENDED, "crashed": "failed", "parked": "parked"},
    ),
)


@pytest.fixture(params=RELEASES, ids=lambda release: release.file)
def release(request: pytest.FixtureRequest) -> Release:
    found: Release = request.param
    return found


@pytest.fixture
def upgraded(release: Release) -> Iterator[Account]:
    account = Account(
        Calm(),
        behaviour=Behaviour(startup=lambda _: 5.0),
        course=lambda _: Course(trains=80),
        parameters={"PatienceSeconds": 0, "ProtectedRunSeconds": 0},
    )
    # Owners were of an account with another number: nobody from there may submit today, or have a job started.
    left = json.loads((RECORDS / release.file).read_text().replace("123456789012", ACCOUNT))
    account.run(left["now"] - account.now)
    items = {key_of(item): item for item in map(as_item, left["items"])}
    start_what_runs(account, items)
    account.table.restore(items)
    yield account
    account.close()


def test_all_jobs_are_there_as_they_were(upgraded: Account, release: Release) -> None:
    listed = upgraded.ask("GET", "/jobs").body["jobs"]
    assert {job["name"]: job["state"] for job in listed} == release.were


def test_whatever_can_be_asked_of_them_is_answered(upgraded: Account, release: Release) -> None:
    of_jobs = [f"/jobs/{name}{part}" for name in release.were for part in ("", "/why")]
    of_all = ["/queue", "/budget", "/rules", "/callers", "/calendar", "/pools", "/pools/rules", "/prices", "/spending"]
    assert {path: upgraded.ask("GET", path).status for path in (*of_jobs, *of_all)} == dict.fromkeys(
        (*of_jobs, *of_all), 200
    )


def test_what_ran_and_waited_comes_to_its_end_and_what_was_held_stays(upgraded: Account, release: Release) -> None:
    upgraded.run(timedelta(hours=1).total_seconds())
    assert {name: job.state.value for name, job in jobs(upgraded).items()} == release.become
    assert jobs(upgraded)["running"].attempts == 1
    assert "unreadable record" not in LOGS.getvalue()


def test_what_is_submitted_after_the_upgrade_takes_its_place_among_the_others(upgraded: Account) -> None:
    assert upgraded.ask("POST", "/add-job", request("new")).status == 201
    upgraded.run(timedelta(hours=1).total_seconds())
    assert jobs(upgraded)["new"].state == "completed"


@pytest.mark.parametrize("name", ["running", "waiting"])
def test_what_a_newer_release_noted_with_a_job_is_passed_over_after_the_way_back(upgraded: Account, name: str) -> None:
    key = (f"JOB#{name}", "JOB")
    known = attribute_values({"at": "2026-11-21T12:00:00Z", "kind": "held", "by": "ada"})
    newer = attribute_values({"at": "2026-11-21T12:01:00Z", "kind": "of-tomorrow", "by": "queue", "of": "tomorrow"})
    upgraded.table.write(key, {**upgraded.table.items[key], "actions": {"L": [{"M": known}, {"M": newer}]}})
    assert [action.kind for action in jobs(upgraded)[name].actions] == ["held"]
    before = LOGS.tell()
    upgraded.run(timedelta(hours=1).total_seconds())
    assert jobs(upgraded)[name].state == "completed"
    assert "unreadable record" not in LOGS.getvalue()[before:]


def start_what_runs(account: Account, items: Mapping[Key, Item]) -> None:
    (attempt,) = (attempt_from(item) for (pk, _), item in items.items() if pk == "LIVE")
    job = job_from(items[f"JOB#{attempt.job_name}", "JOB"])
    ((_, instances),) = attempt.demand.counts
    sent: Any = attempt_request(request(job.name, 5, instances=instances), job, attempt)
    account.sagemaker.create_training_job(**sent)


def jobs(account: Account) -> dict[str, Job]:
    return {item["name"]["S"]: job_from(item) for (_, sk), item in account.table.items.items() if sk == "JOB"}


def key_of(item: Item) -> Key:
    return item["pk"]["S"], item["sk"]["S"]


def as_item(stored: Mapping[str, Any]) -> Item:
    """JSON has no bytes: a body is in Base64."""
    return {name: {"B": base64.b64decode(value["B"])} if "B" in value else value for name, value in stored.items()}
