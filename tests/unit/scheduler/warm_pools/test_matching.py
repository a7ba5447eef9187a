"""The members that SageMaker compares before it reuses a warm pool, checked against the emulator."""

from typing import Any

import pytest

from local_sagemaker.state_machine.job import matching_key
from scheduler.core.warm_pools.matching import differing_fields, pool_key
from support.account.simulated_queue import request

VPC = {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1", "subnet-2"]}


def a_request(**changes: Any) -> dict[str, Any]:
    """Members of ResourceConfig are given by their own names."""
    body = request("resnet") | {"VpcConfig": VPC}
    for name, value in changes.items():
        inner = name in {"InstanceType", "InstanceCount", "VolumeSizeInGB", "VolumeKmsKeyId"}
        body = body | ({"ResourceConfig": body["ResourceConfig"] | {name: value}} if inner else {name: value})
    return body


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"RoleArn": "arn:aws:iam::000000000000:role/OtherSageMakerRole"}, "RoleArn"),
        ({"InstanceType": "ml.m5.xlarge"}, "ResourceConfig.InstanceType"),
        ({"InstanceCount": 2}, "ResourceConfig.InstanceCount"),
        ({"VolumeSizeInGB": 2}, "ResourceConfig.VolumeSizeInGB"),
        ({"VolumeKmsKeyId": "key"}, "ResourceConfig.VolumeKmsKeyId"),
        ({"VpcConfig": VPC | {"SecurityGroupIds": ["sg-2"]}}, "VpcConfig.SecurityGroupIds"),
        ({"VpcConfig": VPC | {"Subnets": ["subnet-1"]}}, "VpcConfig.Subnets"),
        ({"EnableInterContainerTrafficEncryption": True}, "EnableInterContainerTrafficEncryption"),
        ({"EnableNetworkIsolation": True}, "EnableNetworkIsolation"),
    ],
)
def test_each_field_that_differs_keeps_a_job_from_the_pool(change: dict[str, Any], field: str) -> None:
    left, other = a_request(), a_request(**change)
    assert (pool_key(left) == pool_key(other), matching_key(left) == matching_key(other)) == (False, False)
    assert differing_fields(left, other) == (field,)


@pytest.mark.parametrize(
    "change",
    [
        {"EnableNetworkIsolation": False},
        {"TrainingJobName": "other"},
        {"HyperParameters": {"lr": "2"}},
        {"StoppingCondition": {"MaxRuntimeInSeconds": 60}},
        {"Environment": {"A": "b"}},
    ],
)
def test_what_sagemaker_does_not_compare_does_not_count(change: dict[str, Any]) -> None:
    left, other = a_request(), a_request(**change)
    assert (pool_key(left) == pool_key(other), matching_key(left) == matching_key(other)) == (True, True)
    assert differing_fields(left, other) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"EnableManagedSpotTraining": True},
        {"ResourceConfig": {"InstanceGroups": [{"InstanceType": "ml.m5.large", "InstanceCount": 1}]}},
        {"SessionChainingConfig": {"EnableSessionTagChaining": True}},
    ],
)
def test_what_leaves_no_pool_or_cannot_be_compared_fits_none(change: dict[str, Any]) -> None:
    assert pool_key(a_request(**change)) == ""


def test_a_stored_request_that_is_broken_differs_in_what_it_lacks() -> None:
    assert {"RoleArn", "ResourceConfig.InstanceType"} <= {*differing_fields(a_request(), {})}
