"""Builds CreateTrainingJob requests whose container runs one shell command."""

from typing import Any

BUCKET = "sagemaker-us-east-1-000000000000"
ROLE = "arn:aws:iam::000000000000:role/SageMakerLocalRole"


def body(name: str, command: str = "true", *, priority: int = 0, instances: int = 1) -> dict[str, Any]:
    return {
        "TrainingJobName": name,
        "RoleArn": ROLE,
        "AlgorithmSpecification": {
            "TrainingImage": "000000000000.dkr.ecr.us-east-1.amazonaws.com/any:latest",
            "TrainingInputMode": "File",
            "ContainerEntrypoint": ["/bin/sh", "-c", command],
        },
        "OutputDataConfig": {"S3OutputPath": f"s3://{BUCKET}/output"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": instances, "VolumeSizeInGB": 10},
        "StoppingCondition": {"MaxRuntimeInSeconds": 600},
        "Tags": [{"Key": "priority", "Value": str(priority)}],
    }
