"""Describes a queued tuning job as DescribeHyperParameterTuningJob does, under the name that the user gave it.

A tuning job continues with a warm start after a preemption, so SageMaker's description of its last attempt includes the
results of all attempts.
"""

from copy import deepcopy
from typing import Any

from sagequeue.contract.jobs import FINISHED, Job
from sagequeue.jobs.description import failure_reason, moment, status_without_steps

_NONE: dict[str, Any] = {"TrainingJobStatusCounters": {}, "ObjectiveStatusCounters": {}}
_CONFIG, _OBJECTIVE = "HyperParameterTuningJobConfig", "_tuning_objective_metric"
# Members of the request that DescribeHyperParameterTuningJob does not return, or that `_identity` has.
_CREATE_ONLY = frozenset({"Tags", "HyperParameterTuningJobName"})


def describe_tuning(job: Job) -> dict[str, Any]:
    """Describes a tuning job from the queue's record, before SageMaker knows any of its attempts."""
    request = deepcopy({name: value for name, value in job["request"].items() if name not in _CREATE_ONLY})
    _name_objective(request)
    return {**_NONE, **request, **_identity(job)}


def restore_tuning_identity(job: Job, description: dict[str, Any]) -> None:
    """Turns SageMaker's description of the last attempt into a description of the job, in place.

    The best training job of all attempts is the overall best job, unless that job belongs to the user's own warm
    start.
    """
    own = {attempt["name"] for attempt in job["attempts"]}
    overall = description.get("OverallBestTrainingJob")
    if overall and overall.get("TuningJobName") in own:
        description["BestTrainingJob"] = overall
    for member in ("WarmStartConfig", "HyperParameterTuningEndTime", "FailureReason"):  # of the attempt
        description.pop(member, None)
    request = job["request"]  # the attempt has only the remainder of these limits
    given = {name: deepcopy(request[name]) for name in (_CONFIG, "WarmStartConfig") if name in request}
    given[_CONFIG] = description.get(_CONFIG, {}) | given.get(_CONFIG, {})  # with members that SageMaker adds
    description |= given
    description |= _identity(job)


def _name_objective(request: dict[str, Any]) -> None:
    """Adds the static hyperparameter that SageMaker adds: SDK v2's `attach` expects it."""
    metric = request.get(_CONFIG, {}).get("HyperParameterTuningJobObjective", {}).get("MetricName")
    if metric and "TrainingJobDefinition" in request:
        request["TrainingJobDefinition"].setdefault("StaticHyperParameters", {})[_OBJECTIVE] = metric


def _identity(job: Job) -> dict[str, Any]:
    status = status_without_steps(job)
    return {
        "HyperParameterTuningJobName": job["name"],
        "HyperParameterTuningJobArn": job["arn"],
        "HyperParameterTuningJobStatus": status,
        "CreationTime": moment(job["submitted_at"]),
        "LastModifiedTime": moment(job["updated_at"]),
        **({"HyperParameterTuningEndTime": moment(job["updated_at"])} if job["state"] in FINISHED else {}),
        **({"FailureReason": failure_reason(job)} if status == "Failed" else {}),
    }
