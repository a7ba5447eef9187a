"""Describes a queued job as DescribeTrainingJob does, under the user's name for it.

Before the end, the description is built from the queue's record: SageMaker has no job with that name. The user's name
is kept because the SDKs keep polling it; the name of an attempt would be dead after a preemption.
"""

from copy import deepcopy
from typing import Any

from sagequeue.contract.jobs import FINISHED, Job
from sagequeue.jobs.attempts import last_attempt
from sagequeue.jobs.status import failure_reason, status
from sagequeue.jobs.status_transitions import moment, transitions, transitions_with

# Members of a CreateTrainingJob request that DescribeTrainingJob does not return.
_CREATE_ONLY = frozenset({"Tags", "SessionChainingConfig"})
# SageMaker always returns these, and the SDKs read them without a check.
_ALWAYS = {
    "HyperParameters": {},
    "EnableNetworkIsolation": False,
    "EnableInterContainerTrafficEncryption": False,
    "EnableManagedSpotTraining": False,
}


def describe(job: Job) -> dict[str, Any]:
    """Returns a description without ModelArtifacts: `model_data` and `deploy()` fail as for any unfinished job."""
    now = status(job)
    return {
        **_ALWAYS,
        **_echo(job),
        "TrainingJobName": job["name"],
        "TrainingJobArn": job["arn"],
        "TrainingJobStatus": now.primary,
        "SecondaryStatus": now.secondary,
        "SecondaryStatusTransitions": transitions(job),
        "CreationTime": moment(job["submitted_at"]),
        "LastModifiedTime": moment(job["updated_at"]),
        **_training_times(job),
        **({"FailureReason": failure_reason(job)} if now.primary == "Failed" else {}),
    }


def restore_job_identity(job: Job, description: dict[str, Any]) -> None:
    """Changes SageMaker's description of the last attempt into the job's, in place."""
    description["TrainingJobName"] = job["name"]
    description["TrainingJobArn"] = job["arn"]
    description["CreationTime"] = moment(job["submitted_at"])
    description["SecondaryStatusTransitions"] = transitions_with(job, description.get("SecondaryStatusTransitions", []))


def _echo(job: Job) -> dict[str, Any]:
    request = {member: value for member, value in job["request"].items() if member not in _CREATE_ONLY}
    echo = deepcopy(request)  # the caller may change the answer
    echo["OutputDataConfig"] = {"KmsKeyId": "", **echo.get("OutputDataConfig", {})}
    return echo


def _training_times(job: Job) -> dict[str, Any]:
    attempt = last_attempt(job)
    times = {}
    if attempt and attempt["training_started_at"]:
        times["TrainingStartTime"] = moment(attempt["training_started_at"])
    if job["state"] in FINISHED:
        times["TrainingEndTime"] = moment(job["updated_at"])
    return times
