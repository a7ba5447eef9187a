"""Implements CreateAutoMLJobV2, DescribeAutoMLJobV2 and StopAutoMLJob.

AWS documents neither the instances of an AutoML job nor the texts of its errors: these are the emulator's own. A
restart of the server forgets AutoML jobs, but not their training jobs.
"""

from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from typing import Any

from local_sagemaker.errors import AwsError, invalid
from local_sagemaker.state_machine.automl import AutoMLJob
from local_sagemaker.state_machine.job import Secondary
from local_sagemaker.state_machine.machine import StateMachine

_INSTANCES = {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 30}
_HOUR = 3600


def create(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    """Creates the AutoML job, and its only training job."""
    request = deepcopy(request)
    tags = {tag["Key"]: tag["Value"] for tag in request.pop("Tags", [])}
    name = request["AutoMLJobName"]
    if name.lower() in machine.automl:
        raise AwsError("ResourceInUse", f"An AutoML job with the name {name} already exists.")
    arn = machine.arn("automl-job", name)
    candidate = machine.create(_candidate_request(request, arn), dict(tags), now, automl_job_arn=arn)
    machine.automl[name.lower()] = AutoMLJob(request, arn, now, tags, candidate)
    return {"AutoMLJobArn": arn}


def describe(machine: StateMachine, request: dict[str, Any], _now: float) -> dict[str, Any]:
    return deepcopy(_job(machine, request).describe())


def stop(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(machine, request)
    if job.candidate.is_terminal:
        raise invalid(f"The request was rejected because the AutoML job is in status {job.status}.")
    if job.stopped_at is None:
        job.stopped_at = now
        machine.lifecycle.stop(job.candidate, Secondary.STOPPED, now)
    return {}


def _candidate_request(request: dict[str, Any], arn: str) -> dict[str, Any]:
    return {
        "TrainingJobName": f"{request['AutoMLJobName']}-t1-1-{sha256(arn.encode()).hexdigest()[:26]}",
        "AlgorithmSpecification": {"TrainingImage": "automl", "TrainingInputMode": "File"},
        "RoleArn": request["RoleArn"],
        "OutputDataConfig": {"S3OutputPath": request["OutputDataConfig"]["S3OutputPath"]},
        "ResourceConfig": dict(_INSTANCES),
        "StoppingCondition": {"MaxRuntimeInSeconds": _HOUR},
    }


def _job(machine: StateMachine, request: dict[str, Any]) -> AutoMLJob:
    job = machine.automl.get(request["AutoMLJobName"].lower())
    if job is None:
        raise AwsError("ResourceNotFound", f"AutoML job {request['AutoMLJobName']} was not found.")
    return job


OPERATIONS: dict[str, Callable[[StateMachine, dict[str, Any], float], dict[str, Any]]] = {
    "CreateAutoMLJobV2": create,
    "DescribeAutoMLJobV2": describe,
    "StopAutoMLJob": stop,
}
