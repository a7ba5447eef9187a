"""A sweep reports metrics, and the queue's head."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import boto3
import pytest

from history import handler as history
from local_sagemaker.simulation import Simulation
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.adapters.dynamodb.monitoring import head_key
from scheduler.wiring import change_log, cycle, shared
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]
Sweep = Callable[[], None]
TYPE = "ml.m5.large"


@pytest.fixture
def metrics(capsys: pytest.CaptureFixture[str]) -> Callable[[], list[dict[str, Any]]]:
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines() if "_aws" in line]


def _fill_the_budget_and_wait(call: Call) -> None:
    for name in ("one", "two", "three"):
        call("POST", "/add-job", request(name))


def _head(table: str) -> dict[str, Any]:
    item: dict[str, Any] = boto3.client("dynamodb").get_item(TableName=table, Key=head_key())["Item"]
    return item


def test_a_sweep_measures_the_queue(call: Call, schedule: Sweep, metrics: Callable[[], list[dict[str, Any]]]) -> None:
    _fill_the_budget_and_wait(call)
    schedule()
    queue, *types = metrics()
    assert (queue["QueuedJobs"], queue["OldestWaitSeconds"][0] < 60) == ([1.0], True)
    used = {line["InstanceType"]: (line["UsedInstances"], line["FreeInstances"]) for line in types}
    assert used == {TYPE: ([2.0], [0.0]), "ml.g5.xlarge": ([0.0], [2.0])}


def test_a_cycle_that_a_change_woke_records_no_metrics(
    call: Call, sagemaker: Simulation, metrics: Callable[[], list[dict[str, Any]]]
) -> None:
    from integration.functions.conftest import Context
    from schedule.handler import handle

    _fill_the_budget_and_wait(call)
    record = {"dynamodb": {"Keys": {"pk": {"S": "JOB#three"}, "sk": {"S": "JOB"}}}}
    handle({"Records": [record]}, Context())  # type: ignore[arg-type] # what the handler uses of it
    assert metrics() == []


@pytest.mark.parametrize("is_held", [False, True])
def test_a_sweep_that_cannot_finish_leaves_the_report_to_the_next_for_a_few_minutes(
    call: Call,
    sagemaker: Simulation,
    metrics: Callable[[], list[dict[str, Any]]],
    monkeypatch: pytest.MonkeyPatch,
    is_held: bool,
) -> None:
    """As in a busy queue, where each sweep runs out of time or finds another cycle running."""
    from integration.functions.conftest import SWEEP, Context
    from schedule.handler import MARGIN, handle

    class LateContext(Context):
        def get_remaining_time_in_millis(self) -> int:
            return MARGIN // timedelta(milliseconds=1)

    _fill_the_budget_and_wait(call)
    now, found = SystemClock.now, []
    if is_held:
        cycle.leases().acquire_lease(shared.clock().now(), 3600)
    for minutes in (0, 4, 6, 7, 12):
        monkeypatch.setattr(SystemClock, "now", lambda clock, by=timedelta(minutes=minutes): now(clock) + by)
        handle(SWEEP, LateContext())  # type: ignore[arg-type] # what the handler uses of it
        found.append(bool(metrics()))
    assert found == [False, False, True, False, True]


def test_where_no_metrics_are_wanted_none_are_logged(
    call: Call,
    schedule: Sweep,
    metrics: Callable[[], list[dict[str, Any]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("METRICS", "off")
    _fill_the_budget_and_wait(call)
    schedule()
    assert metrics() == []


def test_the_head_of_the_queue_is_recorded_and_reported(
    call: Call, schedule: Sweep, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []
    monkeypatch.setattr(change_log, "event_bus", lambda: _Bus(told))
    monkeypatch.setenv("HISTORY_DAYS", "365")
    _fill_the_budget_and_wait(call)
    schedule()
    record = {"dynamodb": {"ApproximateCreationDateTime": 1795264500, "NewImage": _head(table)}}
    history.handle({"Records": [record]}, None)
    (event,) = told
    assert (event["queue"], event["job"], event["reason"]["code"]) == ("sq", "three", "waits_for_budget")
    assert event["instances"] == {TYPE: 1}


def test_the_head_is_written_when_it_changes_and_not_else(call: Call, schedule: Sweep, table: str) -> None:
    _fill_the_budget_and_wait(call)
    schedule()
    marked = _head(table) | {"mark": {"S": "untouched"}}
    boto3.client("dynamodb").put_item(TableName=table, Item=marked)
    schedule()
    assert "mark" in _head(table)
    call("POST", "/jobs/three/cancel")
    schedule()
    assert "job" not in _head(table)


def test_an_unreadable_head_is_reported_again(call: Call, schedule: Sweep, table: str) -> None:
    _fill_the_budget_and_wait(call)
    boto3.client("dynamodb").put_item(TableName=table, Item=head_key() | {"priority": {"S": "high"}})
    schedule()
    assert _head(table)["job"] == {"S": "three"}


class _Bus:
    def __init__(self, told: list[dict[str, Any]]) -> None:
        self._told = told

    def put(self, _kind: object, details: list[dict[str, Any]]) -> None:
        self._told += details
