"""Implements each operation of tuning jobs as a function of the state machine, a valid request and the time."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from local_sagemaker.api.tuning.listing import list_page, trials_page
from local_sagemaker.api.tuning.request_rules import check_create
from local_sagemaker.api.tuning.warm_start import check_warm_start
from local_sagemaker.errors import tuning_in_status, tuning_job_not_found, tuning_name_taken
from local_sagemaker.state_machine.machine import StateMachine
from local_sagemaker.state_machine.tuning.description import describe
from local_sagemaker.state_machine.tuning.job import TuningJob, TuningStatus


def create(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    check_create(request, machine.behaviour.unknowns.longest_keep_alive_seconds)
    check_warm_start(request, machine.tuning.by_name)
    request = deepcopy(request)
    tags = {tag["Key"]: tag["Value"] for tag in request.pop("Tags", [])}
    name = request["HyperParameterTuningJobName"]
    if any(name.lower() == known.lower() for known in machine.tuning.by_name):
        raise tuning_name_taken(name)
    arn = machine.arn("hyper-parameter-tuning-job", name)
    machine.tuning.add(TuningJob(request, arn, created_at=now, modified_at=now, tags=tags), now)
    return {"HyperParameterTuningJobArn": arn}


def describe_job(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(machine, request, now)
    return describe(job, machine.tuning.results(job), machine.tuning.parents_results(job), now)


def list_jobs(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    delay = machine.behaviour.unknowns.listed_after_seconds
    jobs = [job for job in machine.tuning.by_name.values() if now >= job.created_at + delay]
    return list_page(jobs, request, machine.tuning, machine.behaviour.unknowns, now)


def list_trials(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    return trials_page(machine.tuning.results(_job(machine, request, now)), request)


def stop(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(machine, request, now)
    if job.is_terminal:
        raise tuning_in_status(job.status)
    if job.status is not TuningStatus.STOPPING:
        machine.tuning.stop(job, now)
    elif machine.behaviour.unknowns.refuses_second_stop:
        raise tuning_in_status(job.status)
    return {}


def delete(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    """Deletes the tuning job, but not its training jobs."""
    job = _job(machine, request, now)
    if not job.is_terminal:
        raise tuning_in_status(job.status)
    machine.tuning.remove(job)
    return {}


OPERATIONS: dict[str, Callable[[StateMachine, dict[str, Any], float], dict[str, Any]]] = {
    "CreateHyperParameterTuningJob": create,
    "DescribeHyperParameterTuningJob": describe_job,
    "ListHyperParameterTuningJobs": list_jobs,
    "ListTrainingJobsForHyperParameterTuningJob": list_trials,
    "StopHyperParameterTuningJob": stop,
    "DeleteHyperParameterTuningJob": delete,
}


def _job(machine: StateMachine, request: dict[str, Any], now: float) -> TuningJob:
    name = request["HyperParameterTuningJobName"]
    job = machine.tuning.by_name.get(name)
    if job is None or now < job.created_at + machine.behaviour.unknowns.described_after_seconds:
        raise tuning_job_not_found(name)
    return job
