"""A sweep of an idle queue ends after one read, until SageMaker's list is due again."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import boto3
import pytest

from integration.functions.conftest import SWEEP, Context
from local_sagemaker.simulation import Simulation
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.adapters.dynamodb.jobs.index import DynamoDBJobIndex
from scheduler.adapters.dynamodb.lease.lease import DynamoDBLeaseStore
from scheduler.adapters.dynamodb.records.items import ledger_key
from scheduler.core.jobs.demand import Demand
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.unmanaged_job import UnmanagedJob, WatchedJob
from scheduler.cycle.watches.unmanaged_jobs import WATCHED_PER_SWEEP
from scheduler.errors.internal import LeaseHeld
from scheduler.wiring import shared
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]
Sweep = Callable[[], None]


@pytest.fixture
def schedule(sagemaker: Simulation) -> Sweep:
    """Sweeps, without the table's stream."""
    from schedule.handler import handle

    return lambda: handle(SWEEP, Context())  # type: ignore[arg-type] # what the handler uses of it


@pytest.fixture
def called(sagemaker: Simulation) -> list[str]:
    """The operations of DynamoDB that the functions called."""
    called: list[str] = []
    shared.table().client.meta.events.register("before-call.dynamodb", lambda model, **_: called.append(model.name))
    return called


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    now = SystemClock.now

    def later(by: timedelta) -> None:
        monkeypatch.setattr(SystemClock, "now", lambda clock: now(clock) + by)

    return later


def _sweep(schedule: Sweep, called: list[str]) -> list[str]:
    called.clear()
    schedule()
    return list(called)


def test_an_idle_sweep_ends_after_one_read(schedule: Sweep, called: list[str]) -> None:
    assert len(_sweep(schedule, called)) > 1
    assert _sweep(schedule, called) == ["GetItem"]
    assert _sweep(schedule, called) == ["GetItem"]


def test_an_idle_queue_is_swept_again_when_sagemakers_list_is_due(
    schedule: Sweep, called: list[str], later: Callable[[timedelta], None]
) -> None:
    schedule()
    later(timedelta(minutes=4))
    assert _sweep(schedule, called) == ["GetItem"]
    later(timedelta(minutes=6))
    assert len(_sweep(schedule, called)) > 1


def test_a_change_ends_the_idle_time(schedule: Sweep, called: list[str], call: Call) -> None:
    from schedule.handler import handle

    schedule()
    call("POST", "/add-job", request("resnet"))
    handle({"Records": [{"dynamodb": {"Keys": {"pk": {"S": "JOB#resnet"}, "sk": {"S": "JOB"}}}}]}, Context())  # type: ignore[arg-type] # what the handler uses of it
    assert call("GET", "/jobs/resnet")[1]["state"] == "running"
    assert len(_sweep(schedule, called)) > 1


@pytest.mark.parametrize("action", [None, "hold"])
def test_a_queue_with_an_unfinished_job_is_not_idle(
    schedule: Sweep, called: list[str], call: Call, action: str | None
) -> None:
    call("POST", "/add-job", request("resnet"))
    if action:
        call("POST", f"/jobs/resnet/{action}", {})
    schedule()
    assert call("GET", "/jobs/resnet")[1]["state"] == ("held" if action else "running")
    assert len(_sweep(schedule, called)) > 1


def test_other_training_jobs_that_hold_the_budget_are_counted_as_often_as_before(
    table: str, monkeypatch: pytest.MonkeyPatch, schedule: Sweep
) -> None:
    monkeypatch.setenv("BUDGET_SCOPE", "account")
    schedule()
    assert _idle_until(table) <= shared.clock().now() + timedelta(minutes=1)


def test_a_queue_is_idle_unless_another_training_job_waits_for_its_check(
    table: str, monkeypatch: pytest.MonkeyPatch, schedule: Sweep
) -> None:
    from schedule.handler import handle

    monkeypatch.setenv("GUARD_UNMANAGED_JOBS", "warn")
    schedule()
    assert "idle_until" in _ledger(table)
    new = UnmanagedJob("theirs", shared.clock().now())  # SageMaker does not know it yet
    shared.unmanaged_job_store().add_unchecked(new, by="training_events")
    handle({"Records": []}, Context())  # type: ignore[arg-type] # as the stream does
    assert "idle_until" not in _ledger(table)
    schedule()
    assert "idle_until" not in _ledger(table)


def test_a_queue_is_not_idle_while_a_watched_training_job_is_due(
    table: str, monkeypatch: pytest.MonkeyPatch, schedule: Sweep
) -> None:
    monkeypatch.setenv("GUARD_UNMANAGED_JOBS", "warn")
    created_at, demand = shared.clock().now(), Demand.of({"ml.m5.large": 1})
    for number in range(WATCHED_PER_SWEEP + 1):
        shared.unmanaged_job_store().watch(WatchedJob(f"theirs-{number}", created_at, demand))
    schedule()
    assert "idle_until" not in _ledger(table)
    schedule()
    assert "idle_until" in _ledger(table)


@pytest.mark.parametrize("wrong", ["never", "9999-01-01T00:00:00+00:00"])
def test_a_wrong_time_does_not_stop_the_sweeps(schedule: Sweep, called: list[str], table: str, wrong: str) -> None:
    schedule()
    boto3.client("dynamodb").update_item(
        TableName=table,
        Key=ledger_key(),
        UpdateExpression="SET idle_until = :wrong",
        ExpressionAttributeValues={":wrong": {"S": wrong}},
    )
    assert len(_sweep(schedule, called)) > 1


def _idle_until(table: str) -> datetime:
    return datetime.fromisoformat(_ledger(table)["idle_until"]["S"])


def _ledger(table: str) -> dict[str, Any]:
    item: dict[str, Any] = boto3.client("dynamodb").get_item(TableName=table, Key=ledger_key())["Item"]
    return item


def test_a_queue_with_an_alarm_is_swept_until_the_alarm_is_deleted(schedule: Sweep, called: list[str]) -> None:
    cloudwatch = boto3.client("cloudwatch")
    name = "sagequeue-sq/ended-sq-1/idle/1"
    cloudwatch.put_metric_alarm(
        AlarmName=name,
        ComparisonOperator="LessThanThreshold",
        EvaluationPeriods=1,
        MetricName="GPUUtilization",
        Namespace="/aws/sagemaker/TrainingJobs",
        Period=60,
        Statistic="Maximum",
        Threshold=1.0,
    )
    assert len(_sweep(schedule, called)) > 1
    assert len(_sweep(schedule, called)) > 1
    assert cloudwatch.describe_alarms()["MetricAlarms"] == []
    assert _sweep(schedule, called) == ["GetItem"]


def test_a_queue_is_not_idle_while_its_index_may_lack_a_job_just_submitted(
    schedule: Sweep, called: list[str], call: Call, later: Callable[[timedelta], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    from schedule.handler import handle

    call("POST", "/add-job", request("resnet"))
    with monkeypatch.context() as lagging:
        lagging.setattr(DynamoDBJobIndex, "waiting", lambda _: iter(()))
        lagging.setattr(DynamoDBJobIndex, "candidates", lambda *_: ())
        # A cycle that was running took over the wake request of the submission, which names the job.
        handle({"Records": []}, Context())  # type: ignore[arg-type] # what the handler uses of it
        schedule()
    later(timedelta(minutes=2))
    schedule()
    assert call("GET", "/jobs/resnet")[1]["state"] == "running"


def test_a_job_that_comes_while_a_sweep_ends_keeps_the_queue_from_being_idle(
    schedule: Sweep, called: list[str], call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, submitted = DynamoDBLeaseStore.release_lease, list[int]()

    def submitting(leases: DynamoDBLeaseStore, lease: Lease, **options: Any) -> Lease | None:
        if lease.idle_until and not submitted:
            submitted.append(call("POST", "/add-job", request("resnet"))[0])
            with suppress(LeaseHeld):  # as of the stream's cycle
                leases.acquire_lease(shared.clock().now(), 60)
        return release(leases, lease, **options)

    monkeypatch.setattr(DynamoDBLeaseStore, "release_lease", submitting)
    schedule()
    assert (submitted, call("GET", "/jobs/resnet")[1]["state"]) == ([201], "running")
    assert len(_sweep(schedule, called)) > 1
