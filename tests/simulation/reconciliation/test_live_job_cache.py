"""The cache of live jobs saves reads, and hides no change for long."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.cycle.live_jobs import CACHE_LIFETIME, LiveJobCache, LiveJobs
from support.account.account import LOGS, Account
from support.account.simulated_queue import request
from support.builders.attempts import launch, submitted
from support.builders.jobs import NOON, changed_job
from support.builders.pool_rules import pool_rules
from support.dynamodb.client import TableClient
from support.dynamodb.stores import Stores, dynamodb_stores
from support.dynamodb.table import Table
from support.faults.call_faults import Call, NoFaults

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@dataclass
class Clock:
    time: datetime = NOON

    def now(self) -> datetime:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def stores() -> Stores:
    no_s3: Any = SimpleNamespace(create_bucket=lambda **_: None)  # no request here is large
    return dynamodb_stores(cast("DynamoDBClient", TableClient(Table())), "queue", no_s3)


@pytest.fixture
def lease(stores: Stores) -> Lease:
    return stores.leases.acquire_lease(NOON, 90)


def test_what_no_cycle_wrote_since_is_not_read_again(stores: Stores, lease: Lease) -> None:
    live, memory = launch(stores, submitted(stores), lease), LiveJobCache(stores.live_attempts, Clock())
    assert memory.live() == (live,)
    by_hand(stores, live.job)
    assert memory.live() == (live,)


def test_what_a_cycle_wrote_in_another_process_is_read(stores: Stores, lease: Lease) -> None:
    live, memory = launch(stores, submitted(stores), lease), LiveJobCache(stores.live_attempts, Clock())
    memory.live()
    running = changed_job(live.job, state=JobState.RUNNING)
    written = stores.reservations.update_attempt(running, replace(live.attempt, created=True), lease)
    assert [one.job for one in memory.live()] == [written]


def test_what_was_written_here_is_known_as_it_was_written(stores: Stores, lease: Lease) -> None:
    live, memory = launch(stores, submitted(stores), lease), LiveJobCache(stores.live_attempts, Clock())
    memory.live()
    running = changed_job(live.job, state=JobState.RUNNING)
    written = stores.reservations.update_attempt(running, live.attempt, lease)
    memory.replace(written)
    by_hand(stores, written)
    assert [one.job for one in memory.live()] == [written]


def test_what_is_said_to_have_changed_is_read(stores: Stores, lease: Lease) -> None:
    live, memory = launch(stores, submitted(stores), lease), LiveJobCache(stores.live_attempts, Clock())
    memory.live()
    changed = by_hand(stores, live.job)
    memory.forget(["another", live.job.name])
    assert memory.live() == (LiveJob(changed, live.attempt),)


def test_after_a_while_all_is_read_whatever_is_known(stores: Stores, lease: Lease) -> None:
    live, clock = launch(stores, submitted(stores), lease), Clock()
    memory = LiveJobCache(stores.live_attempts, clock)
    memory.live()
    changed = by_hand(stores, live.job)
    clock.sleep(CACHE_LIFETIME.total_seconds() - 1)
    assert memory.live() == (live,)
    clock.sleep(1)
    assert memory.live() == (LiveJob(changed, live.attempt),)


@pytest.fixture
def account() -> Iterator[Account]:
    account = Account(
        NoFaults(),
        behaviour=Behaviour(startup=lambda _: 1.0),
        course=lambda body: Workload(prepares=1, uploads=1, trains=20 if "short" in body["TrainingJobName"] else 600),
    )
    yield account
    account.close()


def test_the_end_of_one_job_reads_no_other(account: Account) -> None:
    account.ask("POST", "/add-job", request("short"))
    account.ask("POST", "/add-job", request("long"))
    account.run(10)
    read: list[str] = []
    account.service_calls.on_call = lambda call: read.append(call.about) if is_by_cycle(call) else None
    account.run(30)
    assert account.ask("GET", "/jobs/short").body["state"] == "completed"
    assert read
    assert not [about for about in read if "JOB#long/JOB" in about.split()]


def test_a_sweep_reads_a_live_job_once(account: Account) -> None:
    account.ask("POST", "/add-job", request("long"))
    account.run(130)
    read: list[str] = []
    account.service_calls.on_call = lambda call: read.append(call.about) if is_by_cycle(call) else None
    account.run(60)
    assert [about for about in read if "JOB#long/JOB" in about.split()] == ["JOB#long/JOB"]


def test_an_action_on_a_cached_job_is_done_at_once(account: Account) -> None:
    account.ask("POST", "/add-job", request("long"))
    account.run(10)  # and its next sweep is far away
    assert account.ask("POST", "/jobs/long/cancel").status == 202
    account.run(2)
    assert account.simulation.machine.jobs["long-sq-1"].status == "Stopping"


def test_an_end_is_recorded_at_once_though_its_job_was_written_elsewhere(account: Account) -> None:
    account.ask("POST", "/add-job", request("short"))
    account.run(10)
    key = next(key for key, item in account.table.items.items() if item.get("name") == {"S": "short"})
    version = int(account.table.items[key]["version"]["N"])
    account.table.items[key] |= {"version": {"N": str(version + 1)}}  # another process got the stream's record
    account.run(30)  # and the next sweep is far away
    assert account.ask("GET", "/jobs/short").body["state"] == "completed"


def test_a_job_whose_own_pool_is_gone_is_known_as_it_was_written(account: Account) -> None:
    assert account.ask("PUT", "/config/pools", pool_rules("ml.m5.large", "reuse", keep="60m")).status == 200
    body = request("short")
    body["ResourceConfig"]["KeepAlivePeriodInSeconds"] = 1800
    account.ask("POST", "/add-job", body)
    account.run(8)
    account.ask("POST", "/jobs/short/cancel")
    account.run(10)
    account.ask("POST", "/jobs/short/requeue")  # it starts on its own pool
    account.run(38)
    assert account.ask("GET", "/jobs/short").body["state"] == "completed"
    assert "StaleJob" not in LOGS.getvalue()


def test_what_is_written_without_its_attempt_is_known_to_the_cycle_and_the_next(stores: Stores, lease: Lease) -> None:
    live, memory = launch(stores, submitted(stores), lease), LiveJobCache(stores.live_attempts, Clock())
    book = LiveJobs(stores.reservations, lease, memory)
    book.live()
    changed = by_hand(stores, live.job)
    book.replace_job(changed)
    assert [one.job for one in (*book.live(), *memory.live())] == [changed, changed]


def is_by_cycle(call: Call) -> bool:
    return call.function == "schedule" and call.operation in {"GetItem", "BatchGetItem"}


def by_hand(stores: Stores, job: Job) -> Job:
    """Writes outside of the cycle."""
    return stores.jobs.save(changed_job(job, priority=job.options.priority + 1), by="nobody")
