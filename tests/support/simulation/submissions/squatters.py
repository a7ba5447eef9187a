"""Defines training jobs that attackers create under attempts' names, and how judges recognise real attempts."""

from typing import Any

from local_sagemaker.state_machine.job import TrainingJob

#: A tag that the queue does not know.
_MARK = "squatter"
_JOB_TAG, _ATTEMPT_TAG = "sagequeue:job", "sagequeue:attempt"


def owner_of(job: TrainingJob) -> str:
    """Returns the name of the queued job whose attempt this is; empty for trials and all other training jobs."""
    return "" if _MARK in job.tags or job.tuning_job_arn else job.tags.get(_JOB_TAG, "")


def is_unmanaged(job: TrainingJob) -> bool:
    """Returns whether the training job is neither an attempt nor a trial: all tuning jobs of the worlds are queued."""
    return not owner_of(job) and not job.tuning_job_arn


def squatter(body: dict[str, Any], job: str, number: int, copied_tag: str) -> dict[str, Any]:
    """Returns the request of the job's attempt with this number, as any caller with permission to list training jobs
    could copy it.

    The copy neither leaves nor fits a warm pool. Otherwise, SageMaker could give it a pool that is meant for an
    attempt.
    """
    resources = {name: value for name, value in body["ResourceConfig"].items() if name != "KeepAlivePeriodInSeconds"}
    code = copied_tag.partition("-")[2] or "0" * 32
    ours = {_JOB_TAG: job, _ATTEMPT_TAG: f"{number}-{code}", _MARK: ""}
    return {
        **body,
        "TrainingJobName": f"{job}-sq-{number}",
        "ResourceConfig": resources | {"VolumeSizeInGB": 4},
        "Tags": [*body["Tags"], *({"Key": key, "Value": value} for key, value in ours.items())],
    }


def attempt_tag(job: TrainingJob) -> str:
    return job.tags.get(_ATTEMPT_TAG, "")
