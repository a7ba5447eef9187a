"""DescribeTrainingJob for a job of the queue, under the name that the user gave it.

Before the end the description is made from what the queue knows; SageMaker has no job of that name. The name stays the
user's: the SDKs keep it, and one that follows an attempt would be stuck with a dead one after a preemption.
"""

from copy import deepcopy
from typing import Any

from sagequeue.contract.jobs import FINISHED, Job
from sagequeue.jobs.attempts import last_attempt
from sagequeue.jobs.status import failure_reason, status
from sagequeue.jobs.status_transitions import moment, transitions, transitions_with

# Members of a CreateTrainingJob request that DescribeTrainingJob does not give back.
_CREATE_ONLY = frozenset({"Tags", "SessionChainingConfig"})
# What SageMaker always describes, and the SDKs index without asking.
_ALWAYS = {
    "HyperParameters": {},
    "EnableNetworkIsolation": False,
    "EnableInterContainerTrafficEncryption": False,
    "EnableManagedSpotTraining": False,
}


def describe(job: Job) -> dict[str, Any]:
    """A description without ModelArtifacts: `model_data` and `deploy()` then fail as for any job that still runs."""
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


def put_back(job: Job, description: dict[str, Any]) -> None:
    """Make SageMaker's description of the last attempt the job's own, in place."""
    description["TrainingJobName"] = job["name"]
    description["TrainingJobArn"] = job["arn"]
    description["CreationTime"] = moment(job["submitted_at"])
    description["SecondaryStatusTransitions"] = transitions_with(job, description.get("SecondaryStatusTransitions", []))


def _echo(job: Job) -> dict[str, Any]:
    request = {member: value for member, value in job["request"].items() if member not in _CREATE_ONLY}
    echo = deepcopy(request)  # the caller may change what it gets
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
