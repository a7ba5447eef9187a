"""The schedule and training_events functions, from a submission to the end of a job."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from integration.functions.conftest import Context
from local_sagemaker.simulation import Simulation
from scheduler.wiring import shared
from support.account.simulated_queue import request
from support.checkout import DATA

Call = Callable[..., tuple[int, dict[str, Any]]]
EVENTS = DATA / "events"


@pytest.fixture
def training_event(table: str) -> Callable[[dict[str, Any]], None]:
    from training_events.handler import handle

    return lambda event: handle(event, Context())


def test_a_job_is_launched_and_its_end_is_recorded(
    call: Call,
    schedule: Callable[[], None],
    training_event: Callable[[dict[str, Any]], None],
    sagemaker: Simulation,
) -> None:
    call("POST", "/add-job", request("resnet"))
    schedule()
    assert call("GET", "/jobs/resnet")[1]["state"] == "running"
    sagemaker.run(3600)
    for event in reversed(sagemaker.events):  # the worst order
        training_event(event)
    schedule()
    _, job = call("GET", "/jobs/resnet")
    assert (job["state"], job["attempts"][0]["outcome"]) == ("completed", "completed")
    assert call("GET", "/jobs")[1]["budget"]["ml.m5.large"]["held"] == 0


def test_a_cancel_of_a_running_job_stops_it(call: Call, schedule: Callable[[], None], sagemaker: Simulation) -> None:
    call("POST", "/add-job", request("resnet"))
    schedule()
    sagemaker.run(100)
    assert call("POST", "/jobs/resnet/cancel")[1]["state"] == "stopping"
    schedule()
    sagemaker.run(300)
    schedule()
    _, job = call("GET", "/jobs/resnet")
    assert (job["state"], job["attempts"][0]["outcome"]) == ("stopped", "cancelled")
    assert call("POST", "/jobs/resnet/cancel")[0] == 202


def test_the_finished_cannot_be_cancelled(call: Call, schedule: Callable[[], None], sagemaker: Simulation) -> None:
    call("POST", "/add-job", request("resnet"))
    schedule()
    sagemaker.run(3600)
    schedule()
    status, error = call("POST", "/jobs/resnet/cancel")
    assert (status, error["error"]) == (409, "already_finished")


@pytest.mark.parametrize("path", sorted(EVENTS.glob("training-job-*.json")), ids=lambda path: path.stem)
def test_events_of_jobs_that_are_not_ours_change_nothing(
    path: Path, call: Call, training_event: Callable[[dict[str, Any]], None]
) -> None:
    training_event(json.loads(path.read_text()))
    assert call("GET", "/jobs")[1]["jobs"] == []


@pytest.mark.parametrize("event", [{}, {"detail": None}, {"detail": {"TrainingJobName": "a"}}, {"detail": []}])
def test_an_event_that_cannot_be_read_is_dropped(
    event: dict[str, Any], training_event: Callable[[dict[str, Any]], None], caplog: pytest.LogCaptureFixture
) -> None:
    training_event(event)
    assert "dropped an event" in caplog.text


def test_a_name_from_the_rule_for_unmanaged_jobs_is_recorded_for_the_next_cycle(
    training_event: Callable[[dict[str, Any]], None],
) -> None:
    training_event({"id": "1", "time": "2026-11-21T12:00:00Z", "unmanaged_job": "theirs"})
    assert [job.name for job in shared.unmanaged_job_store().unchecked()] == ["theirs"]


@pytest.mark.parametrize(
    ("form", "checked"), [("TrainingJob", ["sweep-sq-1"]), ("HyperParameterTuningJob", []), ("ProcessingJob", [])]
)
def test_a_late_event_adds_only_a_training_job_to_those_that_the_next_cycle_checks(
    form: str,
    checked: list[str],
    training_event: Callable[[dict[str, Any]], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GUARD_UNMANAGED_JOBS", "warn")
    detail = {f"{form}Name": "sweep-sq-1", f"{form}Status": "InProgress", "SecondaryStatus": "Training"}
    training_event({"id": "1", "detail": {**detail, "LastModifiedTime": 1795264500000}})
    assert [job.name for job in shared.unmanaged_job_store().unchecked()] == checked
