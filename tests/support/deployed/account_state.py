"""Reads the state of the emulated SageMaker and of the queue's table."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_sagemaker import SageMakerClient

_JOB_TAG = "sagequeue:job"


@dataclass(frozen=True, slots=True)
class Run:
    """A training job. It holds its instances from its creation to its end."""

    name: str
    job: str  # the queue's job; empty for an unmanaged one
    kind: str
    instances: int
    status: str
    created_at: datetime
    ended_at: datetime | None


def runs(sagemaker: "SageMakerClient", status: str | None = None) -> list[Run]:
    """Returns all training jobs, oldest first. Uses Search, whose rate limits are not documented."""
    filters: Any = [{"Name": "TrainingJobStatus", "Operator": "Equals", "Value": status}] if status else []
    pages = sagemaker.get_paginator("search").paginate(
        Resource="TrainingJob",
        SearchExpression={"Filters": filters} if filters else {},
        SortBy="CreationTime",
        SortOrder="Ascending",
    )
    return [_run(found["TrainingJob"]) for page in pages for found in page["Results"]]


def left_reserved(dynamodb: "DynamoDBClient", table: str) -> list[str]:
    """Returns the live attempts in the queue's table, and the counts of its ledger that are not zero."""
    pages = dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    return [left for page in pages for item in page["Items"] for left in _left_in(item)]


def _left_in(item: Any) -> Iterator[str]:
    if item["pk"]["S"] == "LIVE":
        yield item["sk"]["S"]
    if item["pk"]["S"] == "LEDGER":
        yield from (
            f"{name}={value['N']}" for name, value in item.items() if name.startswith("held.") and value != _NONE
        )


_NONE = {"N": "0"}


def _run(job: Any) -> Run:
    tags = {tag["Key"]: tag["Value"] for tag in job.get("Tags", [])}
    resources = job["ResourceConfig"]
    return Run(
        name=job["TrainingJobName"],
        job=tags.get(_JOB_TAG, ""),
        kind=resources["InstanceType"],
        instances=resources["InstanceCount"],
        status=job["TrainingJobStatus"],
        created_at=job["CreationTime"],
        ended_at=job.get("TrainingEndTime"),
    )
