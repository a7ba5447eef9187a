"""No job's record grows beyond what the table stores, whatever its users and scripts do."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from local_sagemaker.simulation import Workload
from scheduler.adapters.dynamodb.records.job_records import ended_attempt_item, job_from, job_item
from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import MOST_ACTIONS, MOST_ATTEMPTS, Job
from scheduler.core.jobs.job_state import ActionKind, JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.requests.alternatives import MOST_ALTERNATIVES
from scheduler.core.requests.attempt_request import MAX_USER_TAGS
from scheduler.errors.refusals import Violation
from support.account.account import LOGS, Account
from support.account.simulated_queue import request
from support.builders.jobs import NOON, Choice, a_job
from support.dynamodb.sizes import LARGEST_ITEM, size_of
from support.faults.call_faults import NoFaults

#: A letter of four bytes, which tags may have.
WIDE = "\U00020000"
#: The retries that the reporter of the defect used; without them, requeues do the same.
EAGER = {"treatments": {"user": {"retries": 1000, "delay": "0s"}}}
ATTEMPTS = 78


def large_tags() -> dict[str, str]:
    return {f"{number}{WIDE * 120}": WIDE * 256 for number in range(MAX_USER_TAGS - 1)}  # one is the priority


def course(body: dict[str, Any]) -> Workload:
    """Lets the large job fail at once, with a failure file as large as SageMaker reads."""
    if body["TrainingJobName"].startswith("large"):
        return Workload(trains=0, prepares=1, uploads=1, exit_code=1, message=WIDE * 1000)
    return Workload(trains=300, prepares=1, uploads=1)


@pytest.fixture
def account() -> Iterator[Account]:
    account = Account(
        NoFaults(), course=course, parameters={"InstanceBudget": "ml.m5.large=2"}, configuration={"retries": EAGER}
    )
    yield account
    account.close()


def stored(account: Account, name: str) -> Job:
    return job_from(account.table.items[f"JOB#{name}", "JOB"])


def test_many_attempts_with_large_tags_and_failures_stop_nobody(account: Account) -> None:
    assert account.ask("POST", "/add-job", request("large", 9, tags=large_tags())).status == 201
    while stored(account, "large").status.attempts < ATTEMPTS:
        account.run(60)
        assert size_of(account.table.items["JOB#large", "JOB"]) < LARGEST_ITEM / 2
    account.ask("POST", "/add-job", request("other"))
    account.run(900)
    assert stored(account, "other").status.state is JobState.COMPLETED
    account.ask("POST", "/jobs/large/cancel")
    account.run(120)
    assert len(stored(account, "large").status.history) == MOST_ATTEMPTS
    shown = account.ask("GET", "/jobs/large").body
    used = stored(account, "large").status.attempts
    assert [attempt["number"] for attempt in shown["attempts"]] == [*range(1, used + 1)]
    assert used >= ATTEMPTS
    assert all(WIDE in attempt["failure_reason"] for attempt in shown["attempts"][:-1])
    (listed,) = account.ask("GET", "/jobs?name=large").body["jobs"]
    assert (len(listed["attempts"]), listed["earlier_attempts"]) == (MOST_ATTEMPTS, used - MOST_ATTEMPTS)


def test_a_job_whose_record_cannot_be_changed_any_more_is_set_aside_and_named(account: Account) -> None:
    account.ask("POST", "/jobs", {"request": request("large", 9), "options": {"hold": True}})
    account.ask("POST", "/jobs/large/release")
    key, item = ("JOB#large", "JOB"), account.table.items["JOB#large", "JOB"]
    rest = LARGEST_ITEM - size_of(item) + 1000  # a job that starts is in no index any more, which saves some bytes
    account.table.write(key, item | {"tags": {"L": [{"L": [{"S": "filler"}, {"S": "x" * rest}]}]}})
    account.ask("POST", "/add-job", request("other"))
    account.run(900)
    assert stored(account, "other").status.state is JobState.COMPLETED
    assert stored(account, "large").status.state is JobState.PENDING
    lines = [json.loads(line) for line in LOGS.getvalue().splitlines() if '"skipped job"' in line]
    assert {(line["job"], line["step"]) for line in lines} == {("large", "launch"), ("large", "park")}
    assert all("Item size has exceeded the maximum allowed size" in line["cause"] for line in lines)
    refused = account.ask("POST", "/jobs/large/hold")
    assert (refused.status, refused.body["error"]) == (413, "too_large")


def test_the_largest_job_that_there_can_be_fits_its_record() -> None:
    job = the_largest_job()
    assert len(job.status.history) == MOST_ATTEMPTS
    assert len(job.status.actions) == MOST_ACTIONS
    assert size_of(job_item(job, changed_by="schedule")) < LARGEST_ITEM * 5 / 8  # 250 KB: docs/contribute/records.md


def test_an_attempt_that_moved_out_is_small() -> None:
    assert size_of(ended_attempt_item("large", large_attempt(1), changed_by="schedule")) < 4096


def the_largest_job() -> Job:
    """Returns a job each of whose members is as large as the queue lets it be."""
    demand = Demand.of({f"ml.p5-{number}.48xlarge": 9999 for number in range(5)})
    tags = tuple((f"{number:02d}" + WIDE * 126, WIDE * 256) for number in range(MAX_USER_TAGS))
    job = a_job(
        "n" * 63,
        owner=f"arn:aws:sts::123456789012:assumed-role/{'r' * 64}/{'s' * 64}",
        demand=demand,
        choices=[Choice(demand, 99_999, True, 99_999, 3600, "k" * 64, True) for _ in range(MOST_ALTERNATIVES + 1)],
        checkpoint_uri="s3://" + WIDE * 1019,
        subnets=tuple(f"subnet-{'0' * 17}" for _ in range(16)),
        tags=tags,
        client_token="t" * 128,
        body_digests=("d" * 64,) * (MOST_ALTERNATIVES + 1),
        nonce="n" * 32,
        warnings=(Violation("r" * 64, "f" * 100, WIDE * 250, WIDE * 250),) * 20,
    )
    stop = Stop(StopCause.IDLE, NOON, "b" * 63)
    for number in range(MOST_ACTIONS + 1):
        job = job.with_action(ActionKind.UPDATED, NOON + timedelta(seconds=number), WIDE * 1000, job.owner)
    history = tuple(large_attempt(number) for number in range(1, MOST_ATTEMPTS + 2))
    status = replace(job.status, history=history, stop=stop, reason=Reason(ReasonCode.FAILED, WIDE * 5000))
    trimmed, _ = replace(job, status=status).with_recent_attempts()
    return trimmed


def large_attempt(number: int) -> EndedAttempt:
    reason = Reason(ReasonCode.FAILED, WIDE * 5000).message  # as SageMaker's reasons are bounded
    return EndedAttempt(
        name="n" * 63,
        number=number,
        outcome=Outcome.NEVER_STARTED,
        reserved_at=NOON,
        ended_at=NOON + timedelta(minutes=number),
        training_started_at=NOON,
        status="Completed",
        secondary_status="MaxWaitTimeExceeded",
        failure_reason=reason,
        beneficiary="b" * 63,
        interruptions=1000,
        failure_class=FailureClass.OUT_OF_MEMORY,
        action="cause found in the log: given up: it has had 1000 attempts, the limit for one job",
        on_pool="p" * 63,
        retained_seconds=3600,
        retained_reported_in=10**6,
        recorded_in=10**6,
        choice=4,
        billable_seconds=10**7,
        selected=Demand.of({"ml.p5-large.48xlarge": 9999}),
    )
