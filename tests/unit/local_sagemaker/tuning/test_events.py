"""The events of tuning jobs, as recorded (mlspace's test data) or as in the guide."""

from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.fault_injection import EventRule
from unit.local_sagemaker.tuning_jobs import TUNING, a_simulation, run_to_the_end

RECORDED = {
    "HyperParameterTuningJobName": str,
    "HyperParameterTuningJobArn": str,
    "HyperParameterTuningJobConfig": dict,
    "TrainingJobDefinition": dict,
    "TrainingJobDefinitions": type(None),
    "HyperParameterTuningJobStatus": str,
    "CreationTime": int,
    "HyperParameterTuningEndTime": int,
    "LastModifiedTime": int,
    "TrainingJobStatusCounters": dict,
    "ObjectiveStatusCounters": dict,
    "FailureReason": type(None),
    "BestTrainingJob": dict,
    "TuningJobCompletionReason": type(None),
    "TuningJobCompletionDetails": dict,
    "Tags": dict,
}
DOCUMENTED = {
    "HyperParameterTuningJobName",
    "HyperParameterTuningJobArn",
    "TrainingJobDefinition",
    "HyperParameterTuningJobStatus",
    "CreationTime",
    "LastModifiedTime",
    "TrainingJobStatusCounters",
    "ObjectiveStatusCounters",
    "Tags",
}


def last_detail(unknowns: Unknowns) -> dict[str, Any]:
    behaviour = Behaviour(rate_factor=1000, unknowns=unknowns)
    simulation = a_simulation(behaviour=behaviour, Tags=[{"Key": "team", "Value": "a"}])
    run_to_the_end(simulation)
    detail: dict[str, Any] = simulation.events[-1]["detail"]
    assert detail["HyperParameterTuningJobStatus"] == "Completed"
    return detail


def test_the_detail_has_the_keys_and_types_of_a_recorded_event() -> None:
    detail = last_detail(Unknowns())
    assert {name: type(value) for name, value in detail.items()} == RECORDED
    assert detail["Tags"] == {"team": "a"}


def test_the_detail_can_be_that_of_the_guide() -> None:
    detail = last_detail(Unknowns(events_as_documented=True))
    assert detail.keys() == DOCUMENTED
    assert detail["CreationTime"].isdigit()


@pytest.mark.parametrize("arrives_after", [(), (0.0, 0.0)])
def test_an_event_can_be_lost_or_doubled(arrives_after: tuple[float, ...]) -> None:
    simulation = a_simulation()
    rule = EventRule(job=TUNING, secondary_status="Completed", arrives_after=arrives_after)
    simulation.machine.fault_rules.events.append(rule)
    run_to_the_end(simulation)
    ends = [event for event in simulation.events if event["detail"].get("HyperParameterTuningJobStatus") == "Completed"]
    assert len(ends) == len(arrives_after)
