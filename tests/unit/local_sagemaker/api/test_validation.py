import json
from typing import Any

import pytest

from local_sagemaker.api.protocol import answer
from local_sagemaker.conformance.requests import a_request
from local_sagemaker.state_machine.machine import StateMachine
from support.requests.wrong import channel, s3
from unit.local_sagemaker.situations import PATIENT


def call(operation: str, request: object) -> tuple[int, dict[str, Any]]:
    """Calls the API without botocore, which would refuse some requests before it sends them."""
    reply = answer(StateMachine(PATIENT), operation, json.dumps(request).encode(), 0)
    return reply.status, json.loads(reply.body)


def create(**changes: Any) -> tuple[int, dict[str, Any]]:
    return call("SageMaker.CreateTrainingJob", a_request(**changes))


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        (
            {"TrainingJobName": "-x"},
            "Value '-x' at 'trainingJobName' failed to satisfy constraint: Member must satisfy regular expression "
            "pattern: [a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}",
        ),
        ({"RoleArn": None}, "Value null at 'roleArn' failed to satisfy constraint: Member must not be null"),
        (
            {"StoppingCondition": {"MaxRuntimeInSeconds": 0}},
            "Value '0' at 'stoppingCondition.maxRuntimeInSeconds' failed to satisfy constraint: Member must have value "
            "greater than or equal to 1",
        ),
        (
            {"HyperParameters": {"a": "x" * 2501}},
            f"Value '{'x' * 2501}' at 'hyperParameters.a.member' failed to satisfy constraint: Member must have length "
            "less than or equal to 2500",
        ),
        (
            {"OutputDataConfig": {"S3OutputPath": 3}},
            "Value '3' at 'outputDataConfig.s3OutputPath' failed to satisfy constraint: Member must be of type string",
        ),
    ],
)
def test_a_request_outside_the_model_gets_sagemakers_error(changes: dict[str, Any], constraint: str) -> None:
    status, error = create(**changes)
    assert status == 400
    assert error == {"__type": "ValidationException", "message": f"1 validation error detected: {constraint}"}


def test_the_error_for_an_unknown_instance_type_lists_the_known_ones() -> None:
    _, error = create(ResourceConfig={"InstanceType": "ml.t2.medium", "InstanceCount": 1, "VolumeSizeInGB": 1})
    assert error["message"].startswith(
        "1 validation error detected: Value 'ml.t2.medium' at 'resourceConfig.instanceType' failed to satisfy "
        "constraint: Member must satisfy enum value set: [ml.m4.xlarge, "
    )


def test_all_errors_are_listed_at_once() -> None:
    _, error = create(TrainingJobName="", RoleArn="short")
    assert error["message"].startswith("4 validation errors detected: ")


@pytest.mark.parametrize("seconds", [28 * 86_400 + 1, 10**400])
def test_no_job_may_run_longer_than_28_days(seconds: int) -> None:
    status, error = create(StoppingCondition={"MaxRuntimeInSeconds": seconds})
    assert (status, error["__type"]) == (400, "ValidationException")


@pytest.mark.parametrize(
    "resources",
    [
        {"InstanceType": "ml.m5.large", "VolumeSizeInGB": 1},
        {"InstanceCount": 1, "VolumeSizeInGB": 1},
        {"InstanceType": "ml.m5.large", "InstanceCount": 1, "SelectedInstanceCount": 1},
        {"InstanceType": "ml.m5.large", "InstanceCount": 1, "InstancePreferences": [{"InstanceType": "ml.m5.large"}]},
        {"InstancePreferences": [{"InstanceType": "ml.m5.large"}]},
        {"InstancePreferences": [{"InstanceType": "ml.m5.large", "InstanceCount": 0}]},
        {"InstancePreferences": [{"InstanceType": "ml.m5.large", "InstanceCount": 1}], "InstanceCount": 1},
        {
            "InstancePreferences": [
                {"InstanceType": "ml.m5.large", "InstanceCount": 1},
                {"InstanceType": "ml.m5.xlarge"},
            ]
        },
        {"InstancePreferences": [{"InstanceType": "ml.m5.large", "InstanceCount": count} for count in (1, 2)]},
    ],
)
def test_contradictory_resources_are_refused(resources: dict[str, Any]) -> None:
    status, error = create(ResourceConfig=resources)
    assert (status, error["__type"]) == (400, "ValidationException")


TWO_GROUPS = [{"InstanceGroupName": name, "InstanceType": "ml.m5.large", "InstanceCount": 1} for name in ("a", "b")]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {"ResourceConfig": {"InstanceGroups": TWO_GROUPS, "InstanceCount": 1}},
            "InstanceType or InstanceCount cannot be specified with InstanceGroups",
        ),
        (
            {
                "ResourceConfig": {"InstanceGroups": TWO_GROUPS},
                "InputDataConfig": [
                    channel("processing", source=s3(InstanceGroupNames=["a"])),
                    channel("sm_drivers"),
                    channel("code"),
                ],
            },
            "Some channels have assigned instance groups: [processing] while others not: [sm_drivers, code]",
        ),
        (
            {"InputDataConfig": [channel("training", CompressionType="Gzip")]},
            "Invalid compression type for channel training: File mode only supports NONE, got Gzip instead",
        ),
        (
            {"EnableManagedSpotTraining": True},
            "Invalid MaxWaitTimeInSeconds. It must be present and be greater than or equal to MaxRuntimeInSeconds",
        ),
    ],
)
def test_a_contradiction_gets_the_text_that_users_of_sagemaker_saw(changes: dict[str, Any], text: str) -> None:
    status, error = create(**changes)
    assert (status, error["__type"], error["message"]) == (400, "ValidationException", text)


@pytest.mark.parametrize(
    "target",
    [
        "SageMaker.CreateLabelingJob",
        "SageMaker.CreateExperiment",
        "SageMaker.CreateTrialComponent",
        "SageMaker.Dance",
        "SageMaker.",
        "",
        "DynamoDB.ListTrainingJobs",
    ],
)
def test_the_error_for_an_unknown_operation_names_it(target: str) -> None:
    status, error = call(target, {})
    assert (status, error["__type"]) == (400, "UnknownOperationException")
    assert target.removeprefix("SageMaker.") in error["message"]
    assert "runs only pipelines, and training, tuning and processing jobs" in error["message"]


@pytest.mark.parametrize("body", [b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'"x"'])
def test_a_body_that_is_not_a_json_object_is_refused(body: bytes) -> None:
    reply = answer(StateMachine(PATIENT), "SageMaker.CreateTrainingJob", body, 0)
    assert (reply.status, json.loads(reply.body)["__type"]) == (400, "SerializationException")


def test_an_invented_page_token_is_refused() -> None:
    status, error = call("SageMaker.ListTrainingJobs", {"NextToken": "!"})
    assert (status, error["__type"]) == (400, "ValidationException")
