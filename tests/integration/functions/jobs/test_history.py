"""The history, from the table's stream to an API answer."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from textwrap import dedent
from typing import Any
from unittest.mock import MagicMock

import boto3
import pytest

from local_sagemaker.simulation import Simulation
from scheduler.adapters.dynamodb.records.job_records import job_key
from scheduler.errors.internal import EventsRefused
from scheduler.wiring import change_log
from support.account.simulated_queue import request
from support.checkout import CHECKOUT

Call = Callable[..., tuple[int, dict[str, Any]]]
Keep = Callable[..., None]


@pytest.fixture
def keep(table: str, monkeypatch: pytest.MonkeyPatch) -> Keep:
    """Returns the stream's record of a job twice, because the stream may repeat records."""
    monkeypatch.setenv("HISTORY_DAYS", "365")
    monkeypatch.setenv("EVENT_BUS", "")
    monkeypatch.setenv("METRICS", "all")
    from history.handler import handle

    def keep(job: str, *, after: float = 0) -> None:
        image = boto3.client("dynamodb").get_item(TableName=table, Key=job_key(job))["Item"]
        written = datetime.now(UTC).timestamp() // 1 + after
        record = {"dynamodb": {"ApproximateCreationDateTime": written, "NewImage": image}}
        handle({"Records": [record, record]}, None)

    return keep


def _history(call: Call, **query: str) -> list[dict[str, Any]]:
    status, answer = call("GET", "/history", **query)
    assert status == 200
    changes: list[dict[str, Any]] = answer["changes"]
    return changes


def test_each_version_of_a_job_is_kept_once(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation, keep: Keep
) -> None:
    call("POST", "/add-job", request("resnet", tags={"project": "x"}))
    keep("resnet")
    schedule()
    keep("resnet")
    found = _history(call)
    assert [change["state"] for change in found] == ["pending", "running"]
    assert [change["written_by"] for change in found] == ["api", "schedule"]
    assert found[0]["tags"] == {"project": "x"}


def test_the_actor_of_each_action_is_kept(call: Call, keep: Keep) -> None:
    caller = "arn:aws:sts::000000000000:assumed-role/Scientist/ada"
    call("POST", "/add-job", request("resnet"))
    call("POST", "/jobs/resnet/hold", caller=caller)
    keep("resnet")
    (change,) = _history(call)
    assert change["done"] == [{"kind": "held", "by": caller}]


def test_no_hyperparameter_and_no_environment_gets_into_the_history(call: Call, keep: Keep) -> None:
    secrets = {"HyperParameters": {"token": "s3cret-1"}, "Environment": {"TOKEN": "s3cret-2"}}
    call("POST", "/add-job", request("resnet") | secrets)
    keep("resnet")
    assert "s3cret" not in str(_history(call))


def test_a_record_that_cannot_be_read_takes_no_other_with_it(
    call: Call, keep: Keep, table: str, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("broken", "resnet"):
        call("POST", "/add-job", request(name))
    boto3.client("dynamodb").update_item(
        TableName=table,
        Key=job_key("broken"),
        UpdateExpression="SET demand = :nothing",
        ExpressionAttributeValues={":nothing": {"S": "nothing"}},
    )
    keep("broken")
    keep("resnet")
    assert [change["job"] for change in _history(call)] == ["resnet"]


def test_an_item_that_was_repaired_by_hand_is_kept(call: Call, keep: Keep, table: str) -> None:
    call("POST", "/add-job", request("resnet"))
    boto3.client("dynamodb").update_item(TableName=table, Key=job_key("resnet"), UpdateExpression="REMOVE changed_by")
    keep("resnet")
    assert [change["written_by"] for change in _history(call)] == ["unknown"]


def _restore(table: str) -> None:
    """Runs the program of the operators' page on a backup that equals the table."""
    page = (CHECKOUT / "docs/admin/repair.md").read_text()
    (program,) = re.findall(r"```python\n( *import boto3\n\n *whole = .*?)```", page, re.DOTALL)
    keys = boto3.client("dynamodb").describe_table(TableName=table)["Table"]
    boto3.client("dynamodb").create_table(
        TableName="sagequeue-restored",
        KeySchema=keys["KeySchema"],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        BillingMode="PAY_PER_REQUEST",
    )
    restored = boto3.resource("dynamodb").Table("sagequeue-restored")
    for item in boto3.resource("dynamodb").Table(table).scan()["Items"]:
        restored.put_item(Item=item)
    exec(dedent(program).replace("…", table), {})  # noqa: S102  # our own page


def test_a_record_that_is_copied_from_a_backup_is_no_change_but_the_next_version_is(
    call: Call, keep: Keep, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = MagicMock()
    monkeypatch.setattr(change_log, "event_bus", lambda: bus)
    call("POST", "/add-job", request("resnet"))
    keep("resnet")
    _restore(table)
    bus.reset_mock()
    keep("resnet", after=60)
    assert not [call for call in bus.put.call_args_list if call.args[1]]
    call("POST", "/jobs/resnet/hold")
    keep("resnet", after=120)
    found = _history(call, until=(datetime.now(UTC) + timedelta(hours=1)).isoformat())
    assert [(change["version"], change["written_by"]) for change in found] == [(0, "api"), (1, "api")]


def test_a_bus_that_fails_does_not_take_the_history_with_it(
    call: Call, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = MagicMock(put=MagicMock(side_effect=EventsRefused("1 of 1")))
    monkeypatch.setattr(change_log, "event_bus", lambda: bus)
    call("POST", "/add-job", request("resnet"))
    with pytest.raises(EventsRefused):
        keep("resnet")
    assert [change["job"] for change in _history(call)] == ["resnet"]


def test_a_deleted_bus_holds_nothing_up(call: Call, keep: Keep, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENT_BUS", "deleted")
    call("POST", "/add-job", request("resnet"))
    keep("resnet")
    assert [change["job"] for change in _history(call)] == ["resnet"]


def test_before_the_first_day_there_is_nothing(call: Call) -> None:
    assert call("GET", "/history", until="0001-01-01T00:00:00Z") == (200, {"changes": [], "next": None})


def test_without_a_history_the_answer_is_empty(call: Call) -> None:
    assert call("GET", "/history") == (200, {"changes": [], "next": None})


def test_one_job_can_be_asked_for(call: Call, keep: Keep) -> None:
    for name in ("one", "two"):
        call("POST", "/add-job", request(name))
        keep(name)
    assert [change["job"] for change in _history(call, job="two")] == ["two"]


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ({"since": "yesterday"}, "since", "not a time"),
        ({"since": "2026-11-21T12:00:00"}, "since", "without a time zone"),
        ({"since": "2026-11-22T00:00:00Z", "until": "2026-11-21T00:00:00Z"}, "since", "after until"),
        ({"limit": "1001"}, "limit", "not a page size"),
        ({"limit": "0"}, "limit", "not a page size"),
        ({"sinse": "2026-11-22T00:00:00Z"}, "sinse", "is not a parameter"),
        ({"next": "nonsense"}, "next", "not a token"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(call: Call, query: dict[str, str], field: str, message: str) -> None:
    status, refusal = call("GET", "/history", **query)
    assert (status, refusal["field"]) == (400, field)
    assert message in refusal["message"]


def _launch(call: Call, table: str) -> None:
    call("POST", "/add-job", request("resnet"))
    boto3.client("dynamodb").update_item(
        TableName=table,
        Key=job_key("resnet"),
        UpdateExpression="SET #state = :launching",
        ExpressionAttributeNames={"#state": "state"},
        ExpressionAttributeValues={":launching": {"S": "launching"}},
    )


def _launches(capsys: pytest.CaptureFixture[str]) -> list[tuple[list[float], str]]:
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "_aws" in line]
    return [(line["Launches"], line["service"]) for line in lines]


def test_what_happened_is_measured_once_though_the_stream_repeats_itself(
    call: Call, keep: Keep, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _launch(call, table)
    keep("resnet")
    assert _launches(capsys) == [([1.0], "sq")]


def test_what_was_kept_before_an_error_is_measured(
    call: Call, keep: Keep, table: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _launch(call, table)
    store = MagicMock(append=MagicMock(side_effect=[True, TimeoutError]))
    monkeypatch.setattr(change_log, "change_store", lambda: store)
    with pytest.raises(TimeoutError):
        keep("resnet")
    assert _launches(capsys) == [([1.0], "sq")]
