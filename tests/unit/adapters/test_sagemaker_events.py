"""An event is either read in full or refused."""

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.events import observation_of, unmanaged_job_of
from scheduler.adapters.dynamodb.records.job_records import observation_values
from scheduler.adapters.dynamodb.records.record_converter import attribute_values
from scheduler.core.reconciliation.unmanaged_job import UnmanagedJob
from scheduler.errors.internal import BadEvent
from support.builders.jobs import NOON
from support.checkout import DATA

SAMPLES = sorted((DATA / "events").glob("training-job-*.json"))
ODD: list[Any] = [None, "", "Training", 7, -1.5, True, [], [None], ["Training"], [[]], {}, {"Status": "Training"}]
NO_TRANSITIONS: list[Any] = [
    None,
    "Training",
    7,
    {},
    {"Status": "Training"},
    [None],
    ["Training"],
    [{}, None],
    [{}, "Training"],
]


def the_event(status: str) -> dict[str, Any]:
    sample = next(path for path in SAMPLES if path.stem.endswith(status))
    event: dict[str, Any] = json.loads(sample.read_text())
    return event


def mutated(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The event with each of its values in turn made odd, wherever it is."""
    for path in _paths(event):
        for odd in ODD:
            copy = deepcopy(event)
            place: Any = copy
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = odd
            yield copy


def _paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    steps = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield (*above, step)
        yield from _paths(value[step], (*above, step))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_shape_that_aws_sends_is_read(sample: Path) -> None:
    event = json.loads(sample.read_text())
    name, observation = observation_of(event)
    assert (name, observation.status) == (event["detail"]["TrainingJobName"], event["detail"]["TrainingJobStatus"])


@pytest.mark.parametrize("transitions", NO_TRANSITIONS, ids=repr)
def test_transitions_of_an_odd_type_make_a_bad_event(transitions: Any) -> None:
    event = the_event("inprogress-training")
    event["detail"]["SecondaryStatusTransitions"] = transitions
    with pytest.raises(BadEvent, match="SecondaryStatusTransitions"):
        observation_of(event)


def test_an_event_may_have_no_transitions() -> None:
    event = the_event("inprogress-training")
    del event["detail"]["SecondaryStatusTransitions"]
    assert observation_of(event)[1].message == ""


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_whatever_is_odd_in_an_event_it_is_bad_or_can_be_kept(sample: Path) -> None:
    for event in mutated(json.loads(sample.read_text())):
        with suppress(BadEvent):
            attribute_values(observation_values(observation_of(event)[1]))


def test_an_unknown_status_is_not_the_end() -> None:
    event = the_event("inprogress-training")
    event["detail"] |= {"TrainingJobStatus": "Hibernating", "SecondaryStatus": "Snoozing"}
    assert not observation_of(event)[1].is_terminal


@pytest.mark.parametrize("missing", [{}, {"LastModifiedTime": None}], ids=["absent", "null"])
def test_an_event_without_a_time_is_no_observation(missing: dict[str, None]) -> None:
    event = the_event("inprogress-training")
    del event["detail"]["LastModifiedTime"]
    event["detail"] |= missing
    with pytest.raises(BadEvent, match="LastModifiedTime"):
        observation_of(event)


def test_the_rule_for_unmanaged_jobs_passes_on_a_name_and_a_time() -> None:
    job = unmanaged_job_of({"id": "1", "time": "2026-11-21T12:00:00Z", "unmanaged_job": "theirs"})
    assert job == UnmanagedJob("theirs", NOON)


@pytest.mark.parametrize(
    "event", [{"unmanaged_job": "theirs"}, {"unmanaged_job": None, "time": "2026-11-21T12:00:00Z"}]
)
def test_half_of_that_is_a_bad_event(event: dict[str, Any]) -> None:
    with pytest.raises(BadEvent):
        unmanaged_job_of(event)
