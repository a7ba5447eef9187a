"""The requests of the table. They name a fictitious account, which a replay replaces with the real one."""

from typing import Any

NAME = "resnet"
ARN = f"arn:aws:sagemaker:us-east-1:000000000000:training-job/{NAME}"
ROLE = "arn:aws:iam::000000000000:role/training"
OUTPUT = "s3://bucket/out"
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
