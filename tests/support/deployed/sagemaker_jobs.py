"""Reads from SageMaker itself which training jobs ran, to check the budget."""

from collections.abc import Sequence
from itertools import accumulate

from mypy_boto3_sagemaker import SageMakerClient
from mypy_boto3_sagemaker.type_defs import DescribeTrainingJobResponseTypeDef


def training_jobs(sagemaker: SageMakerClient, part_of_name: str) -> list[DescribeTrainingJobResponseTypeDef]:
    """Returns the training jobs with `part_of_name` in their name, oldest first."""
    pages = sagemaker.get_paginator("list_training_jobs").paginate(
        NameContains=part_of_name, SortBy="CreationTime", SortOrder="Ascending"
    )
    names = [summary["TrainingJobName"] for page in pages for summary in page["TrainingJobSummaries"]]
    return [sagemaker.describe_training_job(TrainingJobName=name) for name in names]


def most_instances_at_once(jobs: Sequence[DescribeTrainingJobResponseTypeDef]) -> int:
    """Returns the maximum number of instances held at once. A job holds them from its creation to its end."""
    taken = [(job["CreationTime"], job["ResourceConfig"]["InstanceCount"]) for job in jobs]
    given_back = [(job["TrainingEndTime"], -job["ResourceConfig"]["InstanceCount"]) for job in jobs]
    changes = sorted(taken + given_back)  # at the same moment, instances are given back first
    return max(accumulate(change for _, change in changes))
