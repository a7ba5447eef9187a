"""What SageMaker itself says it ran: the judge of the budget, never our own table."""

from collections.abc import Sequence
from itertools import accumulate

from mypy_boto3_sagemaker import SageMakerClient
from mypy_boto3_sagemaker.type_defs import DescribeTrainingJobResponseTypeDef


def training_jobs(sagemaker: SageMakerClient, part_of_name: str) -> list[DescribeTrainingJobResponseTypeDef]:
    """The training jobs with `part_of_name` in their name, oldest first."""
    pages = sagemaker.get_paginator("list_training_jobs").paginate(
        NameContains=part_of_name, SortBy="CreationTime", SortOrder="Ascending"
    )
    names = [summary["TrainingJobName"] for page in pages for summary in page["TrainingJobSummaries"]]
    return [sagemaker.describe_training_job(TrainingJobName=name) for name in names]


def most_instances_at_once(jobs: Sequence[DescribeTrainingJobResponseTypeDef]) -> int:
    """Each job holds its instances from its creation to its end, in whatever status."""
    taken = [(job["CreationTime"], job["ResourceConfig"]["InstanceCount"]) for job in jobs]
    given_back = [(job["TrainingEndTime"], -job["ResourceConfig"]["InstanceCount"]) for job in jobs]
    changes = sorted(taken + given_back)  # at the same moment, what is given back comes first
    return max(accumulate(change for _, change in changes))
