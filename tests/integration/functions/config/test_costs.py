"""API calls about prices and costs of jobs."""

from collections.abc import Callable
from typing import Any

import pytest

from integration.functions.conftest import configure
from local_sagemaker.simulation import Simulation
from support.account.simulated_queue import request
from support.builders.prices import prices

Call = Callable[..., tuple[int, dict[str, Any]]]

OURS = prices(ml_m5_large=3.6)


def test_at_first_the_dated_snapshot_holds(call: Call) -> None:
    told = call("GET", "/prices")[1]
    assert told["region"] == "us-east-1"
    price = told["prices"]["ml.p5.48xlarge"]
    assert (price["dollars_per_hour"], price["as_of"], price["gpus"]) == (63.296, "2026-09-04", 8)


def test_the_prices_of_operators_override_those_of_the_snapshot(call: Call) -> None:
    configure(call, prices=OURS)
    told = call("GET", "/prices")[1]["prices"]
    assert (told["ml.m5.large"]["dollars_per_hour"], told["ml.m5.large"]["source"]) == (3.6, "set by operators")
    assert told["ml.p5.48xlarge"]["dollars_per_hour"] == 63.296


def test_a_submission_and_its_dry_run_report_the_same_cost(call: Call) -> None:
    configure(call, prices=OURS)
    body = request("job", StoppingCondition={"MaxRuntimeInSeconds": 1000})
    asked = call("POST", "/what-if", {"request": body})[1]["cost_range"]
    told = call("POST", "/add-job", body)[1]["cost_range"]
    assert told == asked
    assert (told["least_dollars"], told["most_dollars"], told["prices_as_of"]) == (1.0, 1.0, "2026-11-20")
    assert "cost" not in told


def test_a_job_shows_the_cost_of_its_attempts(call: Call, schedule: Callable[[], None], sagemaker: Simulation) -> None:
    configure(call, prices=OURS)
    call("POST", "/add-job", request("job"))
    for _ in range(3):
        schedule()
        sagemaker.run(700)
    (ended,) = sagemaker.machine.jobs.values()
    job = call("GET", "/jobs/job")[1]
    assert job["cost"]["dollars"] == job["attempts"][0]["cost"]["dollars"] == round(ended.billed_seconds) / 1000
    assert job["cost"]["final"]
    assert job["attempts"][0]["billable_seconds"] == round(ended.billed_seconds)
    assert "cost" not in call("GET", "/jobs")[1]["jobs"][0]


def test_a_price_of_another_region_is_unknown_and_never_zero(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    told = call("POST", "/add-job", request("job"))[1]["cost_range"]
    assert (told["most_dollars"], told["unknown_types"], told["prices_as_of"]) == (None, ["ml.m5.large"], None)
    assert call("GET", "/prices")[1]["prices"] == {}
