"""A cycle without time for all wakes the next one, unless all its calls failed: then the sweeps go on."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from integration.functions.conftest import Context
from local_sagemaker.simulation import Simulation
from scheduler.adapters.aws.sagemaker.training import SageMakerTraining
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.adapters.dynamodb.records.items import ledger_key
from scheduler.adapters.dynamodb.records.job_records import JOB_PREFIX
from scheduler.errors.internal import Refused
from scheduler.wiring import shared
from support.account.function_wirings import clear_built
from support.account.simulated_queue import request

#: More stops than one cycle has time for, at one a second.
JOBS = 45
NAMES = [f"job-{number}" for number in range(JOBS)]


@pytest.fixture
def cycle(sagemaker: Simulation, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Runs a cycle, and returns who changed the ledger last. Time passes only where it waits, for the account too."""
    from schedule.handler import handle

    monkeypatch.setenv("INSTANCE_BUDGET", f"ml.m5.large={JOBS}")
    clear_built()
    now = [SystemClock().now()]

    def wait(_: SystemClock, seconds: float) -> None:
        now[0] += timedelta(seconds=seconds)
        sagemaker.run(seconds)

    monkeypatch.setattr(SystemClock, "now", lambda _: now[0])
    monkeypatch.setattr(SystemClock, "sleep", wait)

    def cycle() -> str:
        keys = [{"pk": {"S": f"{JOB_PREFIX}{name}"}, "sk": {"S": "JOB"}} for name in NAMES]
        handle({"Records": [{"dynamodb": {"Keys": key}} for key in keys]}, Context())  # type: ignore[arg-type] # what the handler uses of it
        item = shared.table().item(ledger_key())
        assert item is not None
        return str(item["changed_by"]["S"])

    return cycle


def test_launches_wake_the_next_cycle_and_stops_that_are_all_refused_do_not(
    cycle: Callable[[], str], call: Callable[..., tuple[int, dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        assert call("POST", "/add-job", request(name))[0] == 201
    assert cycle() == "unfinished"
    while cycle() == "unfinished":
        pass
    states = [job["state"] for job in call("GET", "/jobs", limit="200")[1]["jobs"]]
    assert states == ["running"] * JOBS
    for name in NAMES:
        call("POST", f"/jobs/{name}/cancel")

    refused: list[str] = []

    def refuse(_: SageMakerTraining, name: str) -> None:
        refused.append(name)
        raise Refused("an explicit deny")

    monkeypatch.setattr(SageMakerTraining, "stop", refuse)
    assert [cycle(), cycle()] == ["schedule", "schedule"]
    assert 2 < len(refused) < 2 * JOBS  # no cycle had time for all
