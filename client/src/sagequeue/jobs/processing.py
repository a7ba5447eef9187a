"""Describes a queued processing job as DescribeProcessingJob does, under the name that the user gave it."""

from copy import deepcopy
from typing import Any

from sagequeue.contract.jobs import FINISHED, Job
from sagequeue.jobs.description import failure_reason, moment, status_without_steps

# Members of the request that DescribeProcessingJob does not return, or that `_identity` has.
_CREATE_ONLY = frozenset({"Tags", "ProcessingJobName"})


def describe_processing(job: Job) -> dict[str, Any]:
    """Describes a processing job from the queue's record, before SageMaker knows any of its attempts."""
    request = {name: value for name, value in job["request"].items() if name not in _CREATE_ONLY}
    return {**deepcopy(request), **_identity(job)}


def restore_processing_identity(job: Job, description: dict[str, Any]) -> None:
    """Turns SageMaker's description of the last attempt into a description of the job, in place."""
    if job["state"] not in FINISHED:  # of an attempt that was preempted
        for member in ("ProcessingEndTime", "FailureReason", "ExitMessage"):
            description.pop(member, None)
    description |= _identity(job)


def _identity(job: Job) -> dict[str, Any]:
    status = status_without_steps(job)
    return {
        "ProcessingJobName": job["name"],
        "ProcessingJobArn": job["arn"],
        "ProcessingJobStatus": status,
        "CreationTime": moment(job["submitted_at"]),
        "LastModifiedTime": moment(job["updated_at"]),
        **({"ProcessingEndTime": moment(job["updated_at"])} if job["state"] in FINISHED else {}),
        **({"FailureReason": failure_reason(job)} if status == "Failed" else {}),
    }
