import json
from pathlib import Path
from typing import Any

from local_sagemaker.conformance.requests import ARN, NAME, a_request
from unit.local_sagemaker.situations import a_job_that_is

SAMPLES = Path(__file__).parents[3] / "data" / "events"


def sample(name: str) -> dict[str, Any]:
    event: dict[str, Any] = json.loads((SAMPLES / f"training-job-state-change-{name}.json").read_text())
    return event


def types(value: Any) -> Any:
    """Returns the keys and types of a document."""
    if isinstance(value, dict):
        return {key: types(member) for key, member in value.items()}
    return [types(item) for item in value] if isinstance(value, list) else type(value).__name__


def test_each_change_of_state_sends_an_event() -> None:
    events = a_job_that_is("completed").events
    assert [event["detail"]["SecondaryStatus"] for event in events] == [
        "Starting", "Downloading", "Training", "Uploading", "Completed",
    ]  # fmt: skip


def test_the_envelope_is_that_of_a_recorded_event() -> None:
    event = a_job_that_is("completed").events[-1]
    recorded = sample("completed")
    assert event.keys() == recorded.keys()
    assert (event["source"], event["detail-type"]) == (recorded["source"], recorded["detail-type"])
    assert event["resources"] == [ARN]
    assert event["time"] == "2026-01-01T00:12:30Z"


def test_the_detail_has_the_keys_and_types_of_a_recorded_event() -> None:
    inputs = [{"ChannelName": "train", "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://b/d"}}}]
    detail = a_job_that_is("completed", a_request(InputDataConfig=inputs)).events[-1]["detail"]
    recorded = sample("completed")["detail"]
    assert detail.keys() == recorded.keys()
    assert types(detail["SecondaryStatusTransitions"]) == types(recorded["SecondaryStatusTransitions"])
    for time in ("CreationTime", "TrainingStartTime", "TrainingEndTime", "LastModifiedTime"):
        assert isinstance(detail[time], int)


def test_times_that_are_not_known_yet_are_null() -> None:
    detail = a_job_that_is("starting").events[0]["detail"]
    assert [detail[name] for name in ("TrainingStartTime", "TrainingEndTime", "FailureReason")] == [None, None, None]
    assert "ModelArtifacts" not in detail


def test_tags_are_a_map() -> None:
    request = a_request(Tags=[{"Key": "team", "Value": "a"}])
    assert a_job_that_is("starting", request).events[0]["detail"]["Tags"] == {"team": "a"}


def test_no_two_events_share_an_id() -> None:
    ids = [event["id"] for event in a_job_that_is("completed").events]
    assert len(set(ids)) == len(ids)


def test_changes_of_tags_and_warm_pools_send_no_event() -> None:
    simulation = a_job_that_is("completed")
    sent = len(simulation.events)
    simulation.client().add_tags(ResourceArn=ARN, Tags=[{"Key": "team", "Value": "a"}])
    simulation.run(1)
    assert len(simulation.events) == sent
    assert simulation.machine.jobs[NAME].tags == {"team": "a"}
