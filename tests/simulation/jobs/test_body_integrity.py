"""A job whose stored request was replaced is parked: it runs with what was submitted, or not at all."""

import json
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from scheduler.adapters.dynamodb.records.job_records import job_from
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from support.account.account import LOGS, Account
from support.account.simulated_queue import request
from support.faults.call_faults import Call, Fate, NoFaults, Verdict
from support.simulation.judges.history import deliver

MINE = request("large")
THEIRS = MINE | {"ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 4, "VolumeSizeInGB": 1}}


class LostCreates(NoFaults):
    def verdict_on(self, call: Call) -> Verdict:
        return Verdict(Fate.FAILS if call.operation == "CreateTrainingJob" else Fate.WORKS)


@pytest.fixture
def account() -> Iterator[Account]:
    """All bodies are in S3, and one job occupies the only instance for ten minutes."""
    account = Account(NoFaults(), parameters={"InstanceBudget": "ml.m5.large=1,ml.c5.xlarge=1"}, largest_in_item=0)
    account.ask("POST", "/add-job", request("first"))
    account.run(90)
    yield account
    account.close()


def job_in(account: Account, name: str) -> Job:
    return job_from(account.table.items[f"JOB#{name}", "JOB"])


def key_of(account: Account, name: str, ending: str = "") -> str:
    keys = [key for key in account.service_calls.objects if key.startswith(f"requests/{name}-")]
    (key,) = [key for key in keys if key.endswith(ending)]
    return key


def replace_body(account: Account, name: str, body: Any) -> bytes:
    """Replaces the stored body, and returns the previous one."""
    key, objects = key_of(account, name), account.service_calls.objects
    before, objects[key] = objects[key], zlib.compress(json.dumps(body).encode())
    return before


def restore_body(account: Account, name: str, content: bytes) -> None:
    account.service_calls.objects[key_of(account, name)] = content


def test_a_replaced_object_parks_its_job_and_no_training_job_is_created(account: Account) -> None:
    account.ask("POST", "/add-job", MINE)
    account.ask("POST", "/add-job", request("next"))
    replace_body(account, "large", THEIRS)
    account.run(1800)
    parked = job_in(account, "large")
    assert (parked.status.state, parked.status.reason.code) == (JobState.PARKED, "unreadable_request")
    assert "was replaced" in parked.status.reason.message
    assert "Submit the job under another name, and ask an operator" in parked.status.reason.message
    assert "large-sq-1" not in account.simulation.machine.jobs
    assert job_in(account, "next").status.state is JobState.COMPLETED
    assert '"cause":"replaced"' in LOGS.getvalue()
    deliver(account, Random(1))  # noqa: S311 - a world, not a secret
    (notice,) = {text for text in account.monitoring.notices if "was replaced" in text}
    assert "large" in notice


def test_a_job_runs_with_the_alternative_that_nobody_replaced(account: Account) -> None:
    other = {"request": {"ResourceConfig": {"InstanceType": "ml.c5.xlarge"}}}
    account.ask("POST", "/jobs", {"request": request("either"), "options": {"alternatives": [other]}})
    account.service_calls.objects[key_of(account, "either", "-1")] = zlib.compress(json.dumps(THEIRS).encode())
    account.run(3600)
    either = job_in(account, "either")
    assert (either.status.state, [ended.choice for ended in either.status.history]) == (JobState.COMPLETED, [0])


def test_a_job_is_requeued_only_after_its_request_was_restored(account: Account) -> None:
    account.ask("POST", "/add-job", MINE)
    submitted = replace_body(account, "large", THEIRS)
    account.run(1800)
    answer = account.ask("POST", "/jobs/large/requeue")
    assert (answer.status, answer.body["error"]) == (503, "unreadable_record")
    assert ("was replaced" in answer.body["message"], job_in(account, "large").status.state) == (True, JobState.PARKED)
    restore_body(account, "large", submitted)
    assert account.ask("POST", "/jobs/large/requeue").status == 202
    account.run(1800)
    assert job_in(account, "large").status.state is JobState.COMPLETED


def test_a_request_replaced_after_the_launch_was_written_is_not_sent(account: Account) -> None:
    """The first Create of the launch is lost, so a later cycle reads the request again."""
    account.fault_plan = LostCreates()
    account.ask("POST", "/add-job", request("next"))
    account.run(1200)
    assert job_in(account, "next").status.state is JobState.LAUNCHING
    replace_body(account, "next", THEIRS)
    account.fault_plan = NoFaults()
    account.run(1200)
    parked = job_in(account, "next").status
    assert (parked.state, parked.reason.code) == (JobState.PARKED, "unreadable_request")
    assert "next-sq-1" not in account.simulation.machine.jobs


def test_no_answer_has_the_secret_of_a_job(account: Account) -> None:
    secret = job_in(account, "first").nonce
    answers = [account.ask("GET", path) for path in ("/jobs", "/jobs/first", "/history?since=1970-01-01T00:00:00Z")]
    assert [answer.status for answer in answers] == [200, 200, 200]
    assert secret
    assert secret not in str(answers)


def test_who_asks_for_a_replaced_request_is_refused_and_not_shown_it(account: Account) -> None:
    account.ask("POST", "/add-job", MINE)
    replace_body(account, "large", THEIRS)
    answer = account.ask("GET", "/jobs/large")
    assert (answer.status, answer.body["error"]) == (503, "unreadable_record")
    assert "was replaced" in answer.body["message"]
