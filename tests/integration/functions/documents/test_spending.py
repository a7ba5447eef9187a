"""API calls about monthly spending limits."""

import logging
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from local_sagemaker.simulation import Simulation
from support.account.function_wirings import use_clock
from support.account.simulated_queue import VirtualClock, request
from support.builders.callers import ACCOUNT
from support.builders.prices import prices
from support.builders.spending import spending

Call = Callable[..., tuple[int, dict[str, Any]]]
Schedule = Callable[[], None]

BOB = f"arn:aws:sts::{ACCOUNT}:assumed-role/Nlp/bob"
ONE_DOLLAR = spending({"owner": "*", "dollars": 1})


@pytest.fixture(autouse=True)
def one_clock(sagemaker: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue's months are SageMaker's: January 2026."""
    use_clock(lambda: VirtualClock(sagemaker), monkeypatch)


@pytest.fixture
def spent(call: Call, schedule: Schedule, sagemaker: Simulation) -> dict[str, Any]:
    """A job of a moon project ran, a tenth of a cent each second; gives its SageMaker's own seconds."""
    assert call("PUT", "/prices", prices("2025-12-31", ml_m5_large=3.6, ml_g5_xlarge=3.6))[0] == 200
    assert call("PUT", "/spending", ONE_DOLLAR)[0] == 200
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
    told = call("GET", "/spending")[1]
    assert (told["version"], told["month"], told["uses"]) == (0, None, [])


def test_limits_are_applied_as_a_whole_or_refused_with_lines(call: Call) -> None:
    status, refusal = call("PUT", "/spending", spending({"owner": "*", "gpu_hours": -1}))
    assert (status, refusal["error"]) == (400, "bad_spending")
    assert [problem["field"] for problem in refusal["problems"]] == ["limits[0].gpu_hours"]
    assert call("PUT", "/spending", spending({"team": "visoin", "gpu_hours": 1}))[0] == 400
    assert call("PUT", "/spending", ONE_DOLLAR)[1]["version"] == 1
    assert call("PUT", "/spending", spending(), replaces="0")[1]["error"] == "stale_spending"
    assert call("GET", "/spending")[1]["text"] == ONE_DOLLAR


def test_only_operators_change_them(call: Call) -> None:
    assert call("PUT", "/spending", ONE_DOLLAR, caller=BOB)[0] == 403


def test_what_was_spent_is_what_sagemaker_bills(call: Call, spent: dict[str, Any]) -> None:
    (use,) = call("GET", "/spending")[1]["uses"]
    assert (use["kind"], use["scope"], use["used"]) == ("owner", "role/Scientist", pytest.approx(spent["dollars"]))
    assert (use["running"], use["state"]) == (0, "ok" if spent["dollars"] < 0.8 else use["state"])


def test_once_it_is_used_up_jobs_wait_with_that_reason(call: Call, schedule: Schedule, spent: dict[str, Any]) -> None:
    call("PUT", "/spending", spending({"owner": "*", "dollars": spent["dollars"]}))
    call("POST", "/add-job", request("second"))
    schedule()
    assert call("GET", "/jobs/second")[1]["state"] == "pending"
    code, message = reason(call, "second")
    assert (code, "(spending limit limit-0)" in message) == ("spending_limit", True)
    assert call("GET", "/spending")[1]["uses"][0]["state"] == "used_up"
    call("PUT", "/spending", spending({"owner": "*", "dollars": 100}))
    schedule()
    assert call("GET", "/jobs/second")[1]["state"] == "running"


def test_a_dry_run_of_a_submission_reports_the_limit(call: Call, spent: dict[str, Any]) -> None:
    call("PUT", "/spending", spending({"owner": "*", "dollars": spent["dollars"]}))
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
    call("PUT", "/spending", spending())
    keep({**the_item("SPENDING"), "text": {"S": "{"}})
    call("POST", "/add-job", request("job"))
    schedule()
    assert reason(call, "job")[0] == "spending_limit"
    assert call("GET", "/spending")[1]["readable"] is False
    call("PUT", "/spending", spending())
    schedule()
    assert call("GET", "/jobs/job")[1]["state"] == "running"
