"""A sweep sends each warning of a spending limit once, to operators and to EventBridge."""

import json
import logging
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from history import handler as history
from integration.functions.conftest import configure
from local_sagemaker.simulation import Simulation
from scheduler.ports.notifications import EventKind
from scheduler.wiring import change_log
from support.account.function_wirings import use_clock
from support.account.simulated_queue import VirtualClock, request
from support.builders.prices import prices
from support.builders.spending import spending

Call = Callable[..., tuple[int, dict[str, Any]]]
Schedule = Callable[[], None]
Read = Callable[[], list[dict[str, Any]]]


@pytest.fixture(autouse=True)
def one_clock(sagemaker: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    use_clock(lambda: VirtualClock(sagemaker), monkeypatch)
    monkeypatch.setenv("NOTICE_TOPIC", boto3.client("sns").create_topic(Name="notices")["TopicArn"])
    monkeypatch.setenv("HISTORY_DAYS", "365")


@pytest.fixture
def mailbox(table: str) -> Read:
    sqs, sns = boto3.client("sqs"), boto3.client("sns")
    url = sqs.create_queue(QueueName="mailbox")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    topic = sns.create_topic(Name="notices")["TopicArn"]
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": "true"})

    def read() -> list[dict[str, Any]]:
        found = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])
        return [json.loads(message["Body"]) for message in found]

    return read


@pytest.fixture
def job(call: Call, schedule: Schedule, sagemaker: Simulation) -> Callable[[], None]:
    """It runs from here on, a tenth of a cent each second; what is given lets five minutes go by, and sweeps."""
    limit = {"name": "moon", "owner": "*", "dollars": 0.4, "warn_at": 0.5}
    configure(
        call,
        prices=prices("2025-12-31", ml_m5_large=3.6, ml_g5_xlarge=3.6),
        spending=spending(limit),
        notices={"owners": ["spending_limit"]},
    )
    call("POST", "/add-job", request("first"))
    schedule()

    def go_on() -> None:
        sagemaker.run(300)
        schedule()

    return go_on


def _warnings() -> list[dict[str, Any]]:
    items = boto3.client("dynamodb").scan(TableName="queue")["Items"]
    return [item for item in items if item["pk"]["S"] == "WARNED#2026-01"]


def test_a_nearly_used_limit_is_reported_once_while_the_job_runs(job: Callable[[], None], mailbox: Read) -> None:
    job()
    (notice,) = mailbox()
    assert (notice["kind"], notice["state"], notice["owner"]) == ("spending_limit", "near", "role/Scientist")
    assert "of $0.40 this month (spending limit moon)" in notice["reason"]
    job()
    (notice,) = mailbox()
    assert notice["state"] == "used_up"
    job()
    assert mailbox() == []
    assert len(_warnings()) == 2


def test_the_use_of_a_limit_is_in_the_spending_answer(call: Call, job: Callable[[], None]) -> None:
    job()
    (use,) = call("GET", "/spending")[1]["uses"]
    assert use["state"] == "near"
    assert use["reason"].startswith("owner role/Scientist has used $0.2")


def test_a_job_that_waits_for_another_reason_shows_the_near_limit(call: Call, job: Callable[[], None]) -> None:
    for name in ("second", "third"):
        call("POST", "/add-job", request(name))
    job()
    told = call("GET", "/jobs/third/why")[1]
    (sentence,) = told["near_limits"]
    assert told["reason"]["code"] == "waits_for_budget"
    assert "(spending limit moon)" in sentence


def test_a_warning_is_sent_to_eventbridge(job: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    job()
    told: list[tuple[EventKind, dict[str, Any]]] = []
    monkeypatch.setattr(change_log, "event_bus", lambda: _Bus(told))
    record = {"dynamodb": {"ApproximateCreationDateTime": 1795264500, "NewImage": _warnings()[0]}}
    history.handle({"Records": [record]}, None)
    ((kind, event),) = told
    assert kind is EventKind.SPENDING_LIMIT
    assert event.pop("used") == pytest.approx(0.24, abs=0.01)
    assert event.pop("at").startswith("2026-01-")
    assert event == {
        "queue": "sq",
        "month": "2026-01",
        "limit": "moon",
        "kind": "owner",
        "scope": "role/Scientist",
        "state": "near",
        "measure": "dollars",
        "most": 0.4,
        "warn_at": 0.5,
        "then": "hold",
    }


def test_a_warning_that_cannot_be_read_holds_up_no_others(
    job: Callable[[], None], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    job()
    told: list[tuple[EventKind, dict[str, Any]]] = []
    monkeypatch.setattr(change_log, "event_bus", lambda: _Bus(told))
    (item,) = _warnings()
    images = [{**item, "most": {"S": "much"}}, item]
    log = logging.getLogger("scheduler.adapters.dynamodb.records.record_converter")
    log.addHandler(caplog.handler)
    history.handle({"Records": [{"dynamodb": {"NewImage": image}} for image in images]}, None)
    log.removeHandler(caplog.handler)
    assert (len(told), "unreadable record" in caplog.text) == (1, True)


class _Bus:
    def __init__(self, told: list[tuple[EventKind, dict[str, Any]]]) -> None:
        self._told = told

    def put(self, kind: EventKind, details: list[dict[str, Any]]) -> None:
        self._told += [(kind, detail) for detail in details]
