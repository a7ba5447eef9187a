"""The table's records as other parts use them: the stream's filter, the sparse index, unknown attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from boto3.dynamodb.types import TypeDeserializer

from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from scheduler.core.planner.learned import ALL_OWNERS, MAX_RUN_GROUPS, Learned
from scheduler.core.reconciliation.unmanaged_job import Finding
from support.builders.jobs import GPU, NOON, a_job, a_sighting, an_attempt, changed_job, launching, unsealed
from support.dynamodb.stores import Stores, dynamodb_stores

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

ONE = Budget.parse(f"{GPU}=1")
JOB, REQUEST, LIVE, LEDGER = ("JOB#resnet", "JOB"), ("REQUEST#resnet", "0"), ("LIVE", "resnet-sq-1"), ("LEDGER",) * 2


@dataclass(frozen=True, slots=True)
class Table:
    client: DynamoDBClient
    name: str

    def __getitem__(self, key: tuple[str, str]) -> dict[str, Any]:
        item = self.client.get_item(TableName=self.name, Key={"pk": {"S": key[0]}, "sk": {"S": key[1]}})["Item"]
        return {name: TypeDeserializer().deserialize(value) for name, value in item.items()}

    def set(self, key: tuple[str, str], attribute: str, text: str) -> None:
        self.client.update_item(
            TableName=self.name,
            Key={"pk": {"S": key[0]}, "sk": {"S": key[1]}},
            UpdateExpression="SET #attribute = :text",
            ExpressionAttributeNames={"#attribute": attribute},
            ExpressionAttributeValues={":text": {"S": text}},
        )


@pytest.fixture
def table(dynamodb: DynamoDBClient, table_name: str) -> Table:
    return Table(dynamodb, table_name)


@pytest.fixture
def stores(table: Table, s3: S3Client) -> Stores:
    return dynamodb_stores(table.client, table.name, s3)


def test_each_record_names_its_last_writer(stores: Stores, table: Table) -> None:
    stores.jobs.submit(a_job(), {})
    assert table[JOB]["changed_by"] == table[REQUEST]["changed_by"] == "api"

    lease = stores.leases.acquire_lease(NOON, seconds=60)
    job = stores.reservations.launch(launching(a_job()), an_attempt(a_job()), ONE, lease)
    assert {table[key]["changed_by"] for key in (JOB, LIVE, LEDGER)} == {"schedule"}

    stores.live_attempts.record_observation("resnet-sq-1", a_sighting(), by="training_events")
    assert table[LIVE]["changed_by"] == "training_events"

    stores.jobs.save(changed_job(job, state=JobState.STOPPING), by="api")
    assert table[JOB]["changed_by"] == "api"


def test_the_ledger_counts_what_live_attempts_hold(stores: Stores, table: Table) -> None:
    stores.jobs.submit(a_job(), {})
    lease = stores.leases.acquire_lease(NOON, seconds=60)
    job = stores.reservations.launch(launching(a_job()), an_attempt(a_job()), ONE, lease)
    assert table[LEDGER][f"held.{GPU}"] == 1
    stores.reservations.settle(changed_job(job, state=JobState.COMPLETED), an_attempt(job), lease)
    assert table[LEDGER][f"held.{GPU}"] == 0


def test_live_jobs_are_all_found_though_one_read_gives_a_hundred(stores: Stores) -> None:
    budget = Budget.parse(f"{GPU}=101")
    lease = stores.leases.acquire_lease(NOON, seconds=60)
    for job in [a_job(f"job-{n:03}") for n in range(101)]:
        stores.jobs.submit(job, {})
        stores.reservations.launch(launching(job), an_attempt(job), budget, lease)
    assert [live.job.name for live in stores.live_attempts.live()] == [f"job-{n:03}" for n in range(101)]


def test_only_waiting_jobs_have_a_place_in_the_queue(stores: Stores, table: Table) -> None:
    stores.jobs.submit(a_job(priority=4), {})
    assert table[JOB]["queue_sk"] == "0999996#2026-11-21T12:00:00.000000+00:00#resnet"
    assert table[JOB]["line_sk"].startswith("0999996#")
    stores.jobs.save(a_job(state=JobState.PARKED), by="schedule")
    assert (table[JOB]["queue_pk"], "line_sk" in table[JOB]) == ("HELD_OR_PARKED", False)
    stores.jobs.save(a_job(state=JobState.STOPPED, version=1), by="schedule")
    assert {"queue_pk", "queue_sk", "line_sk"}.isdisjoint(table[JOB])


def test_attributes_of_a_newer_version_are_ignored(stores: Stores, table: Table) -> None:
    stores.jobs.submit(a_job(), {})
    table.set(JOB, "colour", "blue")
    assert unsealed(stores.jobs.get("resnet")) == a_job()


def test_a_launch_sent_again_after_a_lost_answer_reserves_once(stores: Stores, table: Table) -> None:
    stores.jobs.submit(a_job(), {})
    lease = stores.leases.acquire_lease(NOON, seconds=60)
    first, again = (stores.reservations.launch(launching(a_job()), an_attempt(a_job()), ONE, lease) for _ in range(2))
    assert first == again == stores.jobs.get("resnet")
    assert table[LEDGER][f"held.{GPU}"] == 1


def test_what_is_remembered_of_an_owner_costs_one_write_unit_at_most(stores: Stores, table: Table) -> None:
    lease = stores.leases.acquire_lease(NOON, seconds=60)
    stores.jobs.submit(a_job(), {})
    live = stores.reservations.launch(launching(a_job()), an_attempt(a_job()), ONE, lease)
    past = Learned()
    for limit in range(3600, 3600 + 2 * MAX_RUN_GROUPS):
        past = past.with_run(a_job(max_runtime=limit), limit / 3)
    stores.reservations.settle(live, an_attempt(a_job()), lease, past)
    for owner in (a_job().owner_key, ALL_OWNERS):
        item = table["PAST", f"OWNER#{owner}"]
        assert len(str(item)) < 1024
        assert item["expires_at"] > NOON.timestamp()


def test_a_finding_is_kept_for_longer_than_any_training_job_runs_and_not_for_ever(stores: Stores, table: Table) -> None:
    stores.foreign.record_finding(Finding("theirs", NOON, stopped=True, violations=()))
    item = table["FINDINGS", f"{moment(NOON)}#theirs#rules#stopped"]
    assert 57 < (int(item["expires_at"]) - NOON.timestamp()) / 86_400 < 366
