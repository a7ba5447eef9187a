"""An unreadable record is skipped alone: no other record is affected."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from scheduler.adapters.dynamodb.records.items import config_key, controls_key, ledger_key, reconciliation_key
from scheduler.adapters.dynamodb.records.job_records import attempt_key, job_key, pool_key
from scheduler.adapters.dynamodb.records.record_converter import attribute_values
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.unmanaged_jobs import finding_key, unmanaged_job_key
from scheduler.core.capacity.capacity_memory import CapacityMemory, Shortage
from scheduler.core.capacity.locations import Location
from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob
from scheduler.core.sections.controls import Controls
from scheduler.errors.internal import LeaseHeld, LeaseLost, OverBudget, StaleConfig, StaleControls, StaleJob
from support.builders.jobs import GPU, NOON, a_job, an_attempt, changed_job, launching
from support.dynamodb.stores import Stores, dynamodb_stores

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

TWO = Budget.parse(f"{GPU}=2")


@pytest.fixture
def stores(dynamodb: DynamoDBClient, table_name: str, s3: S3Client) -> Stores:
    return dynamodb_stores(dynamodb, table_name, s3)


@pytest.fixture
def corrupt(dynamodb: DynamoDBClient, table_name: str) -> Any:
    def corrupt(key: Any, **changes: object) -> None:
        names = {f"#{n}": name for n, name in enumerate(changes)}
        values = attribute_values({f":{n}": value for n, value in enumerate(changes.values())})
        sets = ", ".join(f"#{n} = :{n}" for n, _ in enumerate(changes))
        dynamodb.update_item(
            TableName=table_name,
            Key=key,
            UpdateExpression=f"SET {sets}",
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=values,
        )

    return corrupt


CORRUPTED = [
    {"state": "of a newer version"},
    {"demand": "two"},
    {"demand": {}},
    {"demand": {GPU: -1}},
    {"submitted_at": "noon"},
    {"reason": {"code": "new"}},
]


@pytest.mark.parametrize("change", CORRUPTED, ids=str)
def test_a_corrupted_job_is_set_aside_and_the_others_are_candidates(stores: Stores, corrupt: Any, change: Any) -> None:
    for name in ("a", "spoilt", "z"):
        stores.jobs.submit(a_job(name), {})
    corrupt(job_key("spoilt"), **change)
    assert [job.name for job in stores.index.candidates(TWO)] == ["a", "z"]
    assert [job.owner for job in stores.index.waiting()] == [a_job().owner] * 3


@pytest.mark.parametrize("change", CORRUPTED, ids=str)
def test_a_corrupted_job_is_shown_as_parked_with_the_reason(stores: Stores, corrupt: Any, change: Any) -> None:
    for name in ("a", "spoilt", "z"):
        stores.jobs.submit(a_job(name), {})
    corrupt(job_key("spoilt"), **change)
    job = stores.jobs.get("spoilt")
    assert (job.name, job.status.state, job.status.reason.code) == (
        "spoilt",
        JobState.PARKED,
        ReasonCode.UNREADABLE_RECORD,
    )
    first = stores.index.page(JobFilter(), 2, None, NOON)
    assert [one.name for one in first.jobs] == ["a", "spoilt"]
    assert [one.name for one in stores.index.page(JobFilter(), 2, first.next_token, NOON).jobs] == ["z"]


@pytest.mark.parametrize("change", [{"owner": 7}, {"state": 7}, {"team": 7}], ids=str)
def test_an_item_without_an_owner_or_a_state_does_not_hide_other_waiting_jobs(
    stores: Stores, corrupt: Any, change: Any
) -> None:
    for name in ("a", "spoilt", "z"):
        stores.jobs.submit(a_job(name), {})
    corrupt(job_key("spoilt"), **change)
    found = [job.owner for job in stores.index.waiting()]
    assert sorted(found) == sorted([a_job().owner] * 2 + ["unknown" if "owner" in change else a_job().owner])


def test_a_corrupted_job_is_never_overwritten(stores: Stores, corrupt: Any) -> None:
    stores.jobs.submit(a_job(), {})
    corrupt(job_key("resnet"), state="of a newer version")
    with pytest.raises(StaleJob):
        stores.jobs.save(stores.jobs.get("resnet"), by="api")


def test_a_whole_page_of_corrupted_jobs_hides_no_other_job(stores: Stores, corrupt: Any) -> None:
    for number in range(101):
        stores.jobs.submit(a_job(f"spoilt{number:03}", priority=9), {})
        corrupt(job_key(f"spoilt{number:03}"), state="of a newer version")
    stores.jobs.submit(a_job("good", priority=5), {})
    assert [job.name for job in stores.index.candidates(TWO)] == ["good"]


@pytest.mark.parametrize("key", [attempt_key("resnet-sq-1"), job_key("resnet")], ids=["attempt", "job"])
def test_a_live_attempt_that_cannot_be_read_keeps_its_budget(
    stores: Stores, lease: Lease, corrupt: Any, key: Any
) -> None:
    job = a_job(demand=Demand.of({GPU: 2}))
    stores.jobs.submit(job, {})
    stores.reservations.launch(launching(job), an_attempt(job), TWO, lease)
    corrupt(key, updated_at="noon", reserved_at="noon")
    (live,) = stores.live_attempts.live()
    assert (live.is_readable, live.attempt.demand) == (False, job.spec.demand)
    other = a_job("other")
    stores.jobs.submit(other, {})
    with pytest.raises(OverBudget):
        stores.reservations.launch(launching(other), an_attempt(other), TWO, lease)


@pytest.mark.parametrize("key", [attempt_key("resnet-sq-1"), job_key("resnet")], ids=["attempt", "job"])
def test_a_live_attempt_that_cannot_be_read_may_be_the_one_that_probes_a_shortage(
    stores: Stores, lease: Lease, corrupt: Any, key: Any
) -> None:
    job, other = a_job("resnet"), a_job("other")
    stores.jobs.submit(job, {})
    stores.reservations.launch(launching(job), an_attempt(job), TWO, lease)
    corrupt(key, number="one", updated_at="noon")
    short = Shortage(Location(GPU), 1, NOON - timedelta(minutes=2), NOON - timedelta(minutes=1))
    known = CapacityMemory(shortages=(short,))
    snapshot = Snapshot(budget=TWO, live=stores.live_attempts.live(), queued=(other,), capacity=known)
    (wait,) = plan(snapshot, NOON + timedelta(minutes=1)).waits
    assert wait.reason.message.endswith("resnet is trying now")


def test_a_live_job_that_cannot_be_read_keeps_others_off_its_checkpoints(
    stores: Stores, lease: Lease, corrupt: Any
) -> None:
    job, other = (a_job(name, checkpoint_uri="s3://bucket/shared") for name in ("resnet", "other"))
    stores.jobs.submit(job, {})
    stores.reservations.launch(launching(job), an_attempt(job), TWO, lease)
    corrupt(job_key("resnet"), updated_at="noon")
    decided = plan(Snapshot(budget=TWO, live=stores.live_attempts.live(), queued=(other,)), NOON)
    assert [(wait.job.name, wait.reason.code) for wait in decided.waits] == [
        ("other", ReasonCode.WAITS_FOR_CHECKPOINT_PREFIX)
    ]


@pytest.mark.parametrize("count", ["two", 7, -1])
def test_wrong_counts_are_corrected(stores: Stores, lease: Lease, corrupt: Any, count: object) -> None:
    job = a_job(demand=Demand.of({GPU: 2}))
    stores.jobs.submit(job, {})
    stores.reservations.launch(launching(job), an_attempt(job), TWO, lease)
    corrupt(ledger_key(), **{f"held.{GPU}": count, "held.ml.p5.48xlarge": 1})
    assert stores.state.correct_ledger(job.spec.demand, lease)
    assert not stores.state.correct_ledger(job.spec.demand, lease)
    settled = stores.reservations.settle(stores.jobs.get("resnet"), an_attempt(job), lease)
    assert not stores.state.correct_ledger(NOTHING, lease)
    assert settled.version == 2


BROKEN_LEDGERS = [
    {"fence": "one"},
    {"wake_requests": "many"},
    {"lease_expires_at": "noon"},
    {"lease_expires_at": 12},
    {"lease_expires_at": moment(NOON + timedelta(days=1))},
    {"fence": "one", "lease_expires_at": "noon"},
    {"rate_limits": "slow"},
    {"rate_limits": {"create": {"free_at": "noon"}}},
]


@pytest.mark.parametrize("change", BROKEN_LEDGERS, ids=str)
def test_a_lease_can_be_taken_whatever_the_ledger_says(
    stores: Stores, lease: Lease, corrupt: Any, change: Any, caplog: pytest.LogCaptureFixture
) -> None:
    stores.leases.release_lease(lease)
    corrupt(ledger_key(), **change)
    assert stores.leases.acquire_lease(NOON, seconds=60).fence > lease.fence
    assert [record.message for record in caplog.records] == ["unreadable record"]


def test_a_holder_whose_fence_was_lost_writes_nothing_more(stores: Stores, lease: Lease, corrupt: Any) -> None:
    corrupt(ledger_key(), fence="one")
    with pytest.raises(LeaseHeld):  # it is repaired, and the present lease still holds
        stores.leases.acquire_lease(NOON, seconds=60)
    with pytest.raises(LeaseLost):
        stores.state.correct_ledger(Demand.of({GPU: 1}), lease)


def test_an_unreadable_reconciliation_is_replaced(stores: Stores, lease: Lease, corrupt: Any) -> None:
    held = ReconciliationState({"other": Demand.of({GPU: 1})}, complete_at=NOON)
    stores.state.save_reconciliation_state(WorkKind.TRAINING, held, lease)
    corrupt(reconciliation_key(WorkKind.TRAINING), unmanaged="many")
    assert stores.state.reconciliation_state(WorkKind.TRAINING) == ReconciliationState()
    known = ReconciliationState({"other": Demand.of({GPU: 1})}, undecided=frozenset({"other"}), complete_at=NOON)
    stores.state.save_reconciliation_state(WorkKind.TRAINING, known, lease)
    assert stores.state.reconciliation_state(WorkKind.TRAINING) == known


@pytest.mark.parametrize("change", [{"budget": "two"}, {"version": "first"}], ids=str)
def test_what_operators_have_set_is_not_guessed_nor_written_over(stores: Stores, corrupt: Any, change: Any) -> None:
    stores.controls.write(Controls(budget=TWO, intake_open=False), by="api")
    corrupt(controls_key(), **change)
    known = stores.controls.read()
    assert not known.is_readable
    with pytest.raises(StaleControls):
        stores.controls.write(replace(known, budget=None), by="api")


@pytest.mark.parametrize(
    "broken", [{"applied_at": "noon"}, {"version": "first"}, {"changed": 1}, {"applied_at": {"a": 1}}], ids=str
)
def test_a_configuration_that_cannot_be_read_keeps_its_number_and_has_no_sections(
    stores: Stores, corrupt: Any, broken: dict[str, Any]
) -> None:
    configuration = stores.configuration
    for number in (1, 2):
        configuration.add(ConfigVersion(version=number, sections="{}"), by="api")
    corrupt(config_key(2), **broken)
    unreadable = ConfigVersion(version=2, sections="")
    assert configuration.latest() == [unreadable]
    assert configuration.get(2) == unreadable
    assert configuration.latest(5) == [unreadable, ConfigVersion(version=1, sections="{}")]
    with pytest.raises(StaleConfig):
        configuration.add(ConfigVersion(version=2, sections="{}"), by="api")


def test_an_unreadable_unmanaged_job_is_still_checked(stores: Stores, corrupt: Any) -> None:
    stores.foreign.add_unchecked(UnmanagedJob("somebodys", NOON), by="api")
    corrupt(unmanaged_job_key("somebodys"), seen_at="noon")
    assert [job.name for job in stores.foreign.unchecked()] == ["somebodys"]


def test_an_unreadable_finding_names_its_job_and_the_others_are_complete(stores: Stores, corrupt: Any) -> None:
    one, other = (Finding(name, NOON, stopped=True, violations=()) for name in ("one", "other"))
    for finding in (one, other):
        stores.foreign.record_finding(finding)
    corrupt(finding_key(one), violations="many")
    found = {finding.name: finding for finding in stores.foreign.findings(9)}
    assert sorted(found) == ["one", "other"]
    assert found["other"] == other


def test_counts_that_are_missing_are_written_down(stores: Stores, lease: Lease) -> None:
    assert not stores.state.correct_ledger(NOTHING, lease)
    assert stores.state.correct_ledger(Demand.of({GPU: 1}), lease)


def test_a_cycle_that_lost_its_lease_corrects_nothing(stores: Stores, lease: Lease) -> None:
    stores.leases.acquire_lease(lease.expires_at, seconds=60)
    with pytest.raises(LeaseLost):
        stores.state.correct_ledger(Demand.of({GPU: 1}), lease)


def test_a_pool_that_cannot_be_read_keeps_its_budget(stores: Stores, lease: Lease, corrupt: Any) -> None:
    job = a_job(demand=Demand.of({GPU: 2}))
    stores.jobs.submit(job, {})
    launched = stores.reservations.launch(launching(job), an_attempt(job), TWO, lease)
    stores.reservations.settle(changed_job(launched, state=JobState.COMPLETED), an_attempt(job), lease, left_pool=True)
    corrupt(pool_key("resnet-sq-1"), instances_since="noon")
    (pool,) = stores.pools.pools()
    assert (pool.is_readable, pool.demand) == (False, job.spec.demand)
