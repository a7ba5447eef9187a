"""Quotas and warm pools: what a new job may use."""

from dataclasses import replace
from math import inf
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.requests import NAME, a_request, keeping_alive, spot
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.capacity import Shortage
from local_sagemaker.state_machine.lifecycle import CAPACITY_ERROR, INTERNAL_ERROR
from local_sagemaker.state_machine.limits import Quotas
from unit.local_sagemaker.situations import PATIENT, a_job_that_is

TYPE = "ml.m5.large"


def limited(limit: int | None) -> Simulation:
    return a_job_that_is("training", behaviour=replace(PATIENT, quotas=Quotas(on_demand={TYPE: limit})))


def pool(simulation: Simulation, name: str = NAME) -> dict[str, Any]:
    return {**simulation.client().describe_training_job(TrainingJobName=name)["WarmPoolStatus"]}


def test_a_quota_error_has_sagemakers_text() -> None:
    with pytest.raises(ClientError) as refused:
        limited(1).client().create_training_job(**a_request(TrainingJobName="second"))
    assert refused.value.response["Error"]["Code"] == "ResourceLimitExceeded"
    assert refused.value.response["Error"]["Message"].startswith(
        f"The account-level service limit '{TYPE} for training job usage' is 1 Instances, with current utilization of "
        "1 Instances and a request delta of 1 Instances. Please use AWS Service Quotas"
    )


def test_spot_instances_have_their_own_quota() -> None:
    quotas = Quotas(on_demand={TYPE: 0}, spot={TYPE: 1})
    assert a_job_that_is("training", spot(), replace(PATIENT, quotas=quotas)).machine.held_instances() == {TYPE: 1}


def test_a_type_that_the_region_lacks_is_refused() -> None:
    with pytest.raises(ClientError, match=f"training-job/{TYPE} is not available in this region"):
        limited(None)


def test_instance_groups_are_counted_by_type() -> None:
    groups = [
        {"InstanceGroupName": "a", "InstanceType": TYPE, "InstanceCount": 2},
        {"InstanceGroupName": "b", "InstanceType": "ml.g5.xlarge", "InstanceCount": 3},
    ]
    simulation = a_job_that_is("training", a_request(ResourceConfig={"InstanceGroups": groups, "VolumeSizeInGB": 1}))
    assert simulation.machine.held_instances() == {TYPE: 2, "ml.g5.xlarge": 3}


def test_a_finished_job_holds_nothing() -> None:
    assert not a_job_that_is("completed").machine.held_instances()


@pytest.mark.parametrize("state", ["completed", "stopped", "failed"])
def test_a_warm_pool_stays_after_the_end_of_its_job(state: str) -> None:
    simulation = a_job_that_is(state, keeping_alive(600))
    assert pool(simulation) == {"Status": "Available"}
    assert simulation.machine.held_instances() == {TYPE: 1}


def test_no_warm_pool_stays_after_an_infrastructure_failure() -> None:
    assert not a_job_that_is("broken", keeping_alive(600)).machine.held_instances()


def test_no_warm_pool_remains_when_a_retry_gets_no_instances() -> None:
    request = keeping_alive(600) | {"RetryStrategy": {"MaximumRetryAttempts": 1}}
    simulation = a_job_that_is("training", request)
    simulation.machine.set_shortage(TYPE, Shortage(back_at=inf), simulation.now)
    simulation.fail(NAME, INTERNAL_ERROR)
    simulation.fail(NAME, CAPACITY_ERROR)
    description = simulation.client().describe_training_job(TrainingJobName=NAME)
    assert (description["TrainingJobStatus"], "WarmPoolStatus" in description) == ("Failed", False)
    assert not simulation.machine.held_instances()


def test_a_warm_pool_ends_with_its_keep_alive_period() -> None:
    simulation = a_job_that_is("completed", keeping_alive(600))
    simulation.run(600)
    assert pool(simulation) == {"Status": "Terminated", "ResourceRetainedBillableTimeInSeconds": 600}
    assert not simulation.machine.held_instances()


def test_a_warm_pool_can_be_released_at_once() -> None:
    simulation = a_job_that_is("completed", keeping_alive(600))
    simulation.client().update_training_job(TrainingJobName=NAME, ResourceConfig={"KeepAlivePeriodInSeconds": 0})
    assert pool(simulation)["Status"] == "Terminated"


def test_a_matching_job_reuses_the_warm_pool_and_starts_at_once() -> None:
    simulation = a_job_that_is("completed", keeping_alive(600))
    simulation.client().create_training_job(**keeping_alive(600, "second"))
    assert pool(simulation) == {
        "Status": "Reused",
        "ResourceRetainedBillableTimeInSeconds": 50,
        "ReusedByJob": "second",
    }
    assert pool(simulation, "second") == {"Status": "InUse"}
    assert simulation.machine.held_instances() == {TYPE: 1}


def test_a_job_with_another_role_does_not_match() -> None:
    simulation = a_job_that_is("completed", keeping_alive(600))
    other = keeping_alive(600, "second") | {"RoleArn": "arn:aws:iam::000000000000:role/another"}
    simulation.client().create_training_job(**other)
    assert pool(simulation) == {"Status": "Available"}
    assert simulation.machine.held_instances() == {TYPE: 2}


def test_without_a_warm_pool_quota_there_is_no_pool() -> None:
    behaviour = replace(PATIENT, quotas=Quotas(warm_pool={TYPE: 0}))
    simulation = a_job_that_is("completed", keeping_alive(600), behaviour)
    assert pool(simulation) == {"Status": "Terminated", "ResourceRetainedBillableTimeInSeconds": 0}
    assert not simulation.machine.held_instances()


def test_a_warm_pool_counts_against_the_quota_of_training() -> None:
    behaviour = replace(PATIENT, quotas=Quotas(on_demand={TYPE: 1}, warm_pool={TYPE: 1}))
    simulation = a_job_that_is("completed", keeping_alive(600), behaviour)
    with pytest.raises(ClientError, match="ResourceLimitExceeded"):
        simulation.client().create_training_job(**a_request(TrainingJobName="second"))


def test_a_quota_can_limit_the_total_of_all_types() -> None:
    simulation = a_job_that_is("training", behaviour=replace(PATIENT, quotas=Quotas(total=1)))
    with pytest.raises(ClientError, match="'Number of instances across training jobs' is 1 Instances"):
        simulation.client().create_training_job(**a_request(TrainingJobName="second"))


def test_reserved_capacity_is_not_counted() -> None:
    plan = "arn:aws:sagemaker:us-east-1:000000000000:training-plan/reserved"
    reserved = a_request()["ResourceConfig"] | {"TrainingPlanArn": plan}
    simulation = a_job_that_is("training", a_request(ResourceConfig=reserved), replace(PATIENT, quotas=Quotas(total=1)))
    assert simulation.client().create_training_job(**a_request(TrainingJobName="second"))
