"""Builds CreateProcessingJob requests with defaults."""

from typing import Any

ROLE = "arn:aws:iam::000000000000:role/SageMakerRole"


def a_processing_request(
    name: str = "features", *, kind: str = "ml.m5.large", instances: int = 1, **changes: Any
) -> dict[str, Any]:
    return {
        "ProcessingJobName": name,
        "RoleArn": ROLE,
        "AppSpecification": {"ImageUri": "image", "ContainerEntrypoint": ["python3", "features.py"]},
        "ProcessingResources": {
            "ClusterConfig": {"InstanceType": kind, "InstanceCount": instances, "VolumeSizeInGB": 1}
        },
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
    } | changes
