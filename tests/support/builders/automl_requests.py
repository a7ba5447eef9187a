"""Builds CreateAutoMLJobV2 requests."""

from typing import Any


def an_automl_request(name: str, **tags: str) -> dict[str, Any]:
    data = {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://bucket/data"}}
    return {
        "AutoMLJobName": name,
        "AutoMLJobInputDataConfig": [{"DataSource": data}],
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
        "AutoMLProblemTypeConfig": {"TabularJobConfig": {"TargetAttributeName": "label"}},
        "RoleArn": "arn:aws:iam::000000000000:role/SageMakerRole",
        "Tags": [{"Key": key, "Value": value} for key, value in tags.items()],
    }
