"""API calls about monthly spending limits."""

import logging
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from integration.functions.conftest import configure
from local_sagemaker.simulation import Simulation
from support.account.function_wirings import use_clock
from support.account.simulated_queue import VirtualClock, request
from support.builders.configurations import every_section
from support.builders.prices import prices
from support.builders.spending import spending

Call = Callable[..., tuple[int, dict[str, Any]]]
Schedule = Callable[[], None]

ONE_DOLLAR = spending({"owner": "*", "dollars": 1})


@pytest.fixture(autouse=True)
def one_clock(sagemaker: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue's months are SageMaker's: January 2026."""
    use_clock(lambda: VirtualClock(sagemaker), monkeypatch)


@pytest.fixture
def spent(call: Call, schedule: Schedule, sagemaker: Simulation) -> dict[str, Any]:
    """A job of a moon project ran, a tenth of a cent each second; gives its SageMaker's own seconds."""
    configure(call, prices=prices("2025-12-31", ml_m5_large=3.6, ml_g5_xlarge=3.6), spending=ONE_DOLLAR)
    call("POST", "/add-job", request("first"))
    for _ in range(3):
        schedule()
        sagemaker.run(1200)
    schedule()
    (ended,) = sagemaker.machine.jobs.values()
    return {"dollars": round(ended.billed_seconds) / 1000}


def reason(call: Call, name: str) -> tuple[str, str]:
    told = call("GET", f"/jobs/{name}/why")[1]["reason"]
    return told["code"], told["message"]


def the_item(pk: str) -> dict[str, Any]:
    (item,) = [one for one in boto3.client("dynamodb").scan(TableName="queue")["Items"] if one["pk"]["S"] == pk]
    return dict(item)


def keep(item: dict[str, Any]) -> None:
    boto3.client("dynamodb").put_item(TableName="queue", Item=item)


def test_at_first_there_are_no_limits(call: Call) -> None:
    assert call("GET", "/spending") == (200, {"month": None, "uses": [], "left_out": 0})


def test_what_was_spent_is_what_sagemaker_bills(call: Call, spent: dict[str, Any]) -> None:
    (use,) = call("GET", "/spending")[1]["uses"]
    assert (use["kind"], use["scope"], use["used"]) == ("owner", "role/Scientist", pytest.approx(spent["dollars"]))
    assert (use["running"], use["state"]) == (0, "ok" if spent["dollars"] < 0.8 else use["state"])


def test_once_it_is_used_up_jobs_wait_with_that_reason(call: Call, schedule: Schedule, spent: dict[str, Any]) -> None:
    configure(call, spending=spending({"owner": "*", "dollars": spent["dollars"]}))
    call("POST", "/add-job", request("second"))
    schedule()
    assert call("GET", "/jobs/second")[1]["state"] == "pending"
    code, message = reason(call, "second")
    assert (code, "(spending limit limit-0)" in message) == ("spending_limit", True)
    assert call("GET", "/spending")[1]["uses"][0]["state"] == "used_up"
    configure(call, spending=spending({"owner": "*", "dollars": 100}))
    schedule()
    assert call("GET", "/jobs/second")[1]["state"] == "running"


def test_a_dry_run_of_a_submission_reports_the_limit(call: Call, spent: dict[str, Any]) -> None:
    configure(call, spending=spending({"owner": "*", "dollars": spent["dollars"]}))
    forecast = call("POST", "/what-if", {"request": request("second")})[1]
    assert (forecast["starts_now"], forecast["reason"]["code"]) == (False, "spending_limit")
    assert forecast["starts"]["earliest"] is None


@pytest.mark.usefixtures("spent")
def test_a_count_that_cannot_be_read_starts_nothing_until_it_is_repaired(call: Call, schedule: Schedule) -> None:
    item = the_item("SPENT#2026-01")
    keep({**item, "held": {"S": "much"}})
    call("POST", "/add-job", request("second"))
    schedule()
    code, message = reason(call, "second")
    assert (code, "SPENT#2026-01 owner#role/Scientist" in message) == ("spending_limit", True)
    assert call("GET", "/spending")[1]["uses"][0]["state"] == "unknown"
    keep(item)
    schedule()
    assert call("GET", "/jobs/second")[1]["state"] == "running"


@pytest.mark.usefixtures("spent")
def test_a_count_without_a_scope_is_reported_as_a_broken_record_and_breaks_no_other(
    call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    keep({**the_item("SPENT#2026-01"), "sk": {"S": "ownr#role/Scientist"}})
    log = logging.getLogger("scheduler.adapters.dynamodb.records.record_converter")
    log.addHandler(caplog.handler)
    told = call("GET", "/spending")[1]
    log.removeHandler(caplog.handler)
    assert [use["scope"] for use in told["uses"]] == ["role/Scientist"]
    assert "unreadable record" in caplog.text


def test_limits_that_cannot_be_read_start_nothing_until_others_are_applied(call: Call, schedule: Schedule) -> None:
    call("POST", "/add-job", request("job"))
    configure(call, spending=ONE_DOLLAR)
    keep({**the_item("CONFIG"), "sections": {"S": "{"}})
    schedule()
    assert reason(call, "job")[0] == "unreadable_record"
    assert call("POST", "/add-job", request("other"))[1]["error"] == "unreadable_record"  # who may submit is not known
    configure(call, **every_section(spending=spending()))
    schedule()
    assert call("GET", "/jobs/job")[1]["state"] == "running"
