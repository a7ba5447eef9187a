"""Defines the requests in the table. They name a fictitious account, which a replay replaces with the real one."""

from typing import Any

NAME = "resnet"
ARN = f"arn:aws:sagemaker:us-east-1:000000000000:training-job/{NAME}"
ROLE = "arn:aws:iam::000000000000:role/training"
OUTPUT = "s3://bucket/out"
TUNING = "search"
PROCESSING = "features"
LEARNING_RATE = {"Name": "lr", "MinValue": "0.01", "MaxValue": "1"}
IMAGE = "000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1"


def a_request(**changes: Any) -> dict[str, Any]:
    return {
        "TrainingJobName": NAME,
        "RoleArn": ROLE,
        "AlgorithmSpecification": {"TrainingImage": IMAGE, "TrainingInputMode": "File"},
        "OutputDataConfig": {"S3OutputPath": OUTPUT},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
        **changes,
    }


def spot(**changes: Any) -> dict[str, Any]:
    condition = {"MaxRuntimeInSeconds": 3600, "MaxWaitTimeInSeconds": 7200}
    return a_request(**{"EnableManagedSpotTraining": True, "StoppingCondition": condition, **changes})


def keeping_alive(seconds: int, name: str = NAME) -> dict[str, Any]:
    resources = a_request()["ResourceConfig"] | {"KeepAlivePeriodInSeconds": seconds}
    return a_request(TrainingJobName=name, ResourceConfig=resources)


def a_tuning_request(
    name: str = TUNING, config: dict[str, Any] | None = None, definition: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """Returns a request for four trials, two at a time.

    `config` and `definition` replace members of these two parts.
    """
    return {
        "HyperParameterTuningJobName": name,
        "HyperParameterTuningJobConfig": {
            "Strategy": "Random",
            "HyperParameterTuningJobObjective": {"Type": "Maximize", "MetricName": "accuracy"},
            "ResourceLimits": {"MaxNumberOfTrainingJobs": 4, "MaxParallelTrainingJobs": 2},
            "ParameterRanges": {"ContinuousParameterRanges": [LEARNING_RATE]},
            **(config or {}),
        },
        "TrainingJobDefinition": a_definition(**(definition or {})),
        **changes,
    }


def a_definition(**changes: Any) -> dict[str, Any]:
    training = {member: value for member, value in a_request().items() if member != "TrainingJobName"}
    metrics = [{"Name": "accuracy", "Regex": "accuracy=(.*)"}]
    algorithm = training["AlgorithmSpecification"] | {"MetricDefinitions": metrics}
    return {**training, "AlgorithmSpecification": algorithm, "StaticHyperParameters": {"epochs": "3"}, **changes}


def a_processing_request(name: str = PROCESSING, **changes: Any) -> dict[str, Any]:
    cluster = {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1}
    return {
        "ProcessingJobName": name,
        "RoleArn": ROLE,
        "AppSpecification": {"ImageUri": IMAGE, "ContainerEntrypoint": ["true"]},
        "ProcessingResources": {"ClusterConfig": cluster},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
        **changes,
    }
