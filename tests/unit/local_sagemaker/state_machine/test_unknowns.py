"""Undocumented behaviour of AWS: each choice with both values."""

from dataclasses import replace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.requests import ARN, NAME, a_request, keeping_alive
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.behaviour import Unknowns
from local_sagemaker.state_machine.job import Secondary
from local_sagemaker.state_machine.limits import Quotas
from unit.local_sagemaker.situations import PATIENT, a_job_that_is, secondary_statuses

both_ways = pytest.mark.parametrize("way", [False, True])


def a_world(state: str = "unknown", request: dict[str, Any] | None = None, **unknowns: Any) -> Simulation:
    return a_job_that_is(state, request, replace(PATIENT, unknowns=Unknowns(**unknowns)))


def code(call: Any, **parameters: Any) -> str:
    """Returns the code of the error that the call raises, or an empty text."""
    try:
        call(**parameters)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return ""


def statuses_of_events(simulation: Simulation) -> list[str]:
    return [event["detail"]["SecondaryStatus"] for event in simulation.events]


@both_ways
def test_a_second_stop_is_accepted_or_refused(way: bool) -> None:
    client = a_world("stopping", refuses_second_stop=way).client()
    assert code(client.stop_training_job, TrainingJobName=NAME) == ("ValidationException" if way else "")


@both_ways
def test_an_invalid_request_uses_the_request_rate_or_not(way: bool) -> None:
    behaviour = replace(PATIENT, rate_factor=1, unknowns=Unknowns(validates_before_throttling=way))
    client = Simulation(behaviour=behaviour).client()
    wrong = a_request(RoleArn="not an ARN, and long enough")
    assert code(client.create_training_job, **wrong) == "ValidationException"
    assert code(client.create_training_job, **a_request()) == ("" if way else "ThrottlingException")


@both_ways
def test_a_new_job_is_described_at_once_or_later(way: bool) -> None:
    simulation = a_world("starting", described_after_seconds=5 * way)
    client = simulation.client()
    assert code(client.describe_training_job, TrainingJobName=NAME) == ("ValidationException" if way else "")
    assert code(client.create_training_job, **a_request()) == "ResourceInUse"
    simulation.run(5)
    assert code(client.describe_training_job, TrainingJobName=NAME) == ""


@both_ways
def test_a_new_job_is_listed_at_once_or_later(way: bool) -> None:
    simulation = a_world("starting", listed_after_seconds=5 * way)
    client = simulation.client()
    seen = [
        len(client.list_training_jobs()["TrainingJobSummaries"]),
        len(client.search(Resource="TrainingJob")["Results"]),
    ]
    assert seen == [1 - way, 1 - way]
    simulation.run(5)
    assert len(client.list_training_jobs()["TrainingJobSummaries"]) == 1


@both_ways
def test_an_end_is_listed_at_once_or_later(way: bool) -> None:
    simulation = a_world("completed", listed_after_seconds=100 * way)
    client = simulation.client()
    (listed,) = client.list_training_jobs()["TrainingJobSummaries"]
    assert listed["TrainingJobStatus"] == ("InProgress" if way else "Completed")
    assert ("TrainingEndTime" in listed) is not way
    simulation.run(100)
    (listed,) = client.list_training_jobs()["TrainingJobSummaries"]
    assert listed["TrainingJobStatus"] == "Completed"


@both_ways
def test_lists_begin_with_the_oldest_or_the_newest(way: bool) -> None:
    simulation = a_world("starting", lists_oldest_first=way)
    simulation.run(1)
    simulation.client().create_training_job(**a_request(TrainingJobName="later"))
    (first, _) = simulation.client().list_training_jobs()["TrainingJobSummaries"]
    assert first["TrainingJobName"] == (NAME if way else "later")


@both_ways
def test_quota_is_freed_at_once_or_later(way: bool) -> None:
    unknowns = Unknowns(frees_quota_after_seconds=600 * way)
    behaviour = replace(PATIENT, quotas=Quotas(on_demand={"ml.m5.large": 1}), unknowns=unknowns)
    simulation = a_job_that_is("completed", behaviour=behaviour)
    create = simulation.client().create_training_job
    assert code(create, **a_request(TrainingJobName="second")) == ("ResourceLimitExceeded" if way else "")
    simulation.run(600)
    if way:
        assert code(create, **a_request(TrainingJobName="second")) == ""


@both_ways
def test_arns_keep_the_case_of_the_name_or_not(way: bool) -> None:
    client = a_world(lower_case_arns=way).client()
    arn = client.create_training_job(**a_request(TrainingJobName="ResNet"))["TrainingJobArn"]
    assert arn.endswith("/resnet" if way else "/ResNet")
    assert client.list_tags(ResourceArn=arn)["Tags"] == []


@both_ways
def test_the_longest_keep_alive_period_is_one_or_six_hours(way: bool) -> None:
    client = a_world(longest_keep_alive_seconds=3600 if way else 21_600).client()
    assert code(client.create_training_job, **keeping_alive(3601)) == ("ValidationException" if way else "")


@both_ways
def test_a_job_that_is_pending_too_long_fails_or_stops(way: bool) -> None:
    behaviour = replace(PATIENT, startup=lambda _request: None, unknowns=Unknowns(long_pending_fails=way))
    condition = {"MaxRuntimeInSeconds": 3600, "MaxPendingTimeInSeconds": 1800}
    simulation = a_job_that_is("starting", a_request(StoppingCondition=condition), behaviour)
    simulation.run(1801)
    assert secondary_statuses(simulation)[-1] == ("Failed" if way else "Stopped")


@both_ways
def test_secondary_statuses_send_events_or_not(way: bool) -> None:
    silent = frozenset({Secondary.STARTING, Secondary.DOWNLOADING}) if way else frozenset()
    expected = ["Training", "Uploading", "Completed"] if way else secondary_statuses(a_job_that_is("completed"))
    assert statuses_of_events(a_world("completed", silent_statuses=silent)) == expected


@both_ways
def test_changes_without_documented_events_send_events_or_not(way: bool) -> None:
    simulation = a_world("completed", keeping_alive(600), sends_undocumented_events=way)
    before = len(simulation.events)
    client = simulation.client()
    client.add_tags(ResourceArn=ARN, Tags=[{"Key": "team", "Value": "a"}])
    client.update_training_job(TrainingJobName=NAME, ResourceConfig={"KeepAlivePeriodInSeconds": 60})
    simulation.run(60)  # its warm pool ends
    assert len(simulation.events) - before == 3 * way


@both_ways
def test_times_in_events_are_numbers_or_strings(way: bool) -> None:
    detail = a_world("starting", events_as_documented=way).events[0]["detail"]
    assert isinstance(detail["CreationTime"], str if way else int)
    assert ("TrainingEndTime" in detail) != way
    assert (detail["SecondaryStatusTransitions"] == []) == way
