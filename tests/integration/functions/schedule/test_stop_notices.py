"""The functions give notice through S3: requests to stop, acknowledgements, and cancels that let a program save."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from mypy_boto3_s3.literals import StorageClassType

from integration.functions.conftest import Context
from local_sagemaker.simulation import Simulation
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]
ATTEMPT = "resnet-sq-1"
LATER = datetime(2026, 1, 1, 1, tzinfo=UTC).isoformat()  # than the start of the program
ACKNOWLEDGED = {"id": "event", "acknowledgement": f"acks/{ATTEMPT}"}


@pytest.fixture
def training_event(table: str) -> Callable[[dict[str, Any]], None]:
    from training_events.handler import handle

    return lambda event: handle(event, Context())


@pytest.fixture
def training(
    call: Call,
    schedule: Callable[[], None],
    training_event: Callable[[dict[str, Any]], None],
    sagemaker: Simulation,
) -> None:
    call("POST", "/add-job", request("resnet"))
    schedule()
    sagemaker.run(200)
    for event in sagemaker.events:
        training_event(event)


@pytest.fixture
def listening(training: None, training_event: Callable[[dict[str, Any]], None]) -> None:
    acknowledge(step=None, stop_asked_at=None, uploaded=None)
    training_event(ACKNOWLEDGED)


@pytest.mark.usefixtures("training")
def test_a_program_that_has_reported_nothing_is_stopped_at_once(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    attempt = call("GET", "/jobs/resnet")[1]["attempts"][0]
    assert (attempt["takes_notice"], attempt["listens"]) == (True, False)
    call("POST", "/jobs/resnet/cancel", {"save_first": True})
    schedule()
    assert (status(sagemaker), stop_object()) == ("Stopping", {"state": "run"})


@pytest.mark.usefixtures("listening")
def test_a_program_that_has_reported_its_start_takes_notice_and_has_saved_nothing(call: Call) -> None:
    (attempt,) = call("GET", "/jobs/resnet")[1]["attempts"]
    assert (attempt["listens"], attempt["saved"]) == (True, None)


@pytest.mark.usefixtures("listening")
def test_a_cancel_that_lets_the_program_save_stops_it_after_its_answer(
    call: Call, schedule: Callable[[], None], training_event: Callable[[dict[str, Any]], None], sagemaker: Simulation
) -> None:
    assert call("POST", "/jobs/resnet/cancel", {"save_first": True})[1]["state"] == "stopping"
    schedule()
    shown = call("GET", "/jobs/resnet")[1]
    (attempt,) = shown["attempts"]
    assert attempt["notice"]["asked_at"] < attempt["notice"]["deadline"]
    assert "; asked to save at " in shown["reason"]["message"]
    assert status(sagemaker) == "InProgress"
    asked = stop_object()
    assert (asked["state"], asked["notice_seconds"]) == ("stop", 120)
    acknowledge(saved_at=LATER, stop_asked_at=asked["asked_at"], uploaded=True)
    training_event(ACKNOWLEDGED)
    assert call("GET", "/jobs/resnet")[1]["attempts"][0]["saved"]["step"] == 7
    schedule()
    assert status(sagemaker) == "Stopping"


@pytest.mark.usefixtures("training")
def test_a_periodic_save_is_recorded_and_wakes_no_cycle(
    call: Call, training_event: Callable[[dict[str, Any]], None]
) -> None:
    acknowledge(stop_asked_at=None, uploaded=None)
    training_event(ACKNOWLEDGED)
    saved = call("GET", "/jobs/resnet")[1]["attempts"][0]["saved"]
    assert saved["step"] == 7
    item = boto3.client("dynamodb").get_item(TableName="queue", Key={"pk": {"S": "LIVE"}, "sk": {"S": ATTEMPT}})["Item"]
    assert item["changed_by"] == {"S": "observation"}


@pytest.mark.usefixtures("training")
@pytest.mark.parametrize(
    "members",
    [
        {"step": None, "stop_asked_at": "2026-01-01T00:00:00+00:00"},
        {"attempt": "other-sq-1"},
        {"saved_at": "0001-01-01T00:00:00+23:59"},
        {"stop_asked_at": "9999-12-31T23:59:59-23:00"},
    ],
)
def test_a_malformed_acknowledgement_is_dropped(
    members: dict[str, Any],
    call: Call,
    training_event: Callable[[dict[str, Any]], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    acknowledge(**{"stop_asked_at": None, "uploaded": None} | members)
    training_event(ACKNOWLEDGED)
    assert call("GET", "/jobs/resnet")[1]["attempts"][0]["saved"] is None
    assert "dropped an event" in caplog.text


@pytest.mark.usefixtures("training")
def test_an_acknowledgement_that_s3_does_not_hand_out_is_dropped(
    training_event: Callable[[dict[str, Any]], None], caplog: pytest.LogCaptureFixture
) -> None:
    acknowledge(storage_class="GLACIER", stop_asked_at=None, uploaded=None)
    training_event(ACKNOWLEDGED)
    assert "dropped an event" in caplog.text


@pytest.mark.usefixtures("listening")
def test_an_acknowledgement_that_s3_does_not_hand_out_takes_no_notice_from_other_jobs(
    call: Call, schedule: Callable[[], None]
) -> None:
    call("POST", "/jobs/resnet/cancel", {"save_first": True})
    schedule()
    acknowledge(storage_class="GLACIER", stop_asked_at=None, uploaded=None)
    call("POST", "/add-job", request("bert"))
    schedule()
    assert call("GET", "/jobs/bert")[1]["attempts"][0]["takes_notice"] is True


@pytest.mark.usefixtures("training")
def test_an_acknowledgement_of_no_name_is_dropped(
    training_event: Callable[[dict[str, Any]], None], caplog: pytest.LogCaptureFixture
) -> None:
    acknowledge("", attempt="", stop_asked_at=None, uploaded=None)
    training_event(ACKNOWLEDGED | {"acknowledgement": "acks/"})
    assert "dropped an event" in caplog.text


@pytest.mark.usefixtures("training")
def test_an_acknowledgement_that_has_expired_changes_nothing(
    call: Call, training_event: Callable[[dict[str, Any]], None]
) -> None:
    training_event(ACKNOWLEDGED)
    assert call("GET", "/jobs/resnet")[1]["attempts"][0]["saved"] is None


@pytest.mark.usefixtures("listening")
def test_many_jobs_are_cancelled_after_they_had_time_to_save(call: Call, schedule: Callable[[], None]) -> None:
    call("POST", "/change-jobs", {"change": "cancel", "names": ["resnet"], "save_first": True})
    schedule()
    assert call("GET", "/jobs/resnet")[1]["attempts"][0]["notice"] is not None


def test_only_a_cancel_has_time_to_save(call: Call) -> None:
    status, refusal = call("POST", "/change-jobs", {"change": "hold", "names": ["resnet"], "save_first": True})
    assert (status, refusal["field"]) == (400, "save_first")


def status(sagemaker: Simulation) -> str:
    return str(sagemaker.machine.jobs[ATTEMPT].status)


def stop_object() -> dict[str, Any]:
    body = boto3.client("s3", region_name="us-east-1").get_object(Bucket="bodies", Key=f"stops/{ATTEMPT}")["Body"]
    content: dict[str, Any] = json.loads(body.read())
    return content


def acknowledge(name: str = ATTEMPT, /, *, storage_class: StorageClassType = "STANDARD", **members: Any) -> None:
    """Writes what the package writes; the simulated time lies before the functions' time."""
    content = {
        "attempt": ATTEMPT,
        "step": 7,
        "saved_at": datetime(2026, 1, 1, tzinfo=UTC).isoformat(),
        "save_seconds": 1,
    }
    boto3.client("s3", region_name="us-east-1").put_object(
        Bucket="bodies",
        Key=f"acks/{name}",
        Body=json.dumps(content | members).encode(),
        StorageClass=storage_class,
    )
