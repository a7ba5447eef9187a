"""Implements each API operation as a function of the state machine, a valid request and the time."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeVar

from local_sagemaker.api.automl import OPERATIONS as AUTOML_OPERATIONS
from local_sagemaker.api.hosting import OPERATIONS as HOSTING_OPERATIONS
from local_sagemaker.api.listing import as_of, list_page
from local_sagemaker.api.pipelines.operations import OPERATIONS as PIPELINE_OPERATIONS
from local_sagemaker.api.processing.operations import OPERATIONS as PROCESSING_OPERATIONS
from local_sagemaker.api.request_rules import check_create, check_tags
from local_sagemaker.api.search import search_page
from local_sagemaker.api.tuning.operations import OPERATIONS as TUNING_OPERATIONS
from local_sagemaker.api.validation import validated
from local_sagemaker.errors import AwsError, in_status, invalid, name_taken, not_found, unknown_operation
from local_sagemaker.state_machine.automl import AutoMLJob
from local_sagemaker.state_machine.description import describe
from local_sagemaker.state_machine.job import Secondary, Status, TrainingJob
from local_sagemaker.state_machine.machine import StateMachine
from local_sagemaker.state_machine.processing.job import ProcessingJob
from local_sagemaker.state_machine.tuning.job import TuningJob

_MAX_TAGS = 50
_Job = TrainingJob | TuningJob | ProcessingJob | AutoMLJob
_AnyJob = TypeVar("_AnyJob", bound=_Job)


def call_operation(machine: StateMachine, operation: str, request: object, now: float) -> dict[str, Any]:
    """Carries out one API call and returns its answer, or raises AwsError."""
    if operation not in OPERATIONS:
        raise unknown_operation(operation)
    machine.pass_time(now)
    if machine.behaviour.unknowns.validates_before_throttling:
        valid = validated(operation, request)
        machine.request_rates.admit(operation, now)
    else:
        machine.request_rates.admit(operation, now)
        valid = validated(operation, request)
    try:
        return OPERATIONS[operation](machine, valid, now)
    finally:
        machine.reschedule()


def create_training_job(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    check_create(request, machine.behaviour.unknowns.longest_keep_alive_seconds)
    request = deepcopy(request)
    tags = {tag["Key"]: tag["Value"] for tag in request.pop("Tags", [])}
    name = request["TrainingJobName"]
    if name in machine.jobs:
        raise name_taken(machine.jobs[name].arn)
    return {"TrainingJobArn": machine.create(request, tags, now).arn}


def describe_training_job(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    return describe(_job(machine, request, now))


def list_training_jobs(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    unknowns = machine.behaviour.unknowns
    order = {"SortOrder": "Ascending" if unknowns.lists_oldest_first else "Descending"}
    return list_page(_listed(machine, now), order | request, unknowns, now)


def search(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    return search_page(_listed(machine, now), request)


def stop_training_job(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(machine, request, now)
    if job.is_terminal:
        raise in_status(job.status)
    if job.status is not Status.STOPPING:
        machine.lifecycle.stop(job, Secondary.STOPPED, now)
    elif machine.behaviour.unknowns.refuses_second_stop:
        raise in_status(job.status)
    return {}


def update_training_job(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(machine, request, now)
    if "ResourceConfig" in request:
        _set_keep_alive(job, request["ResourceConfig"]["KeepAlivePeriodInSeconds"], now)
    for name in ("ProfilerConfig", "ProfilerRuleConfigurations", "RemoteDebugConfig"):
        if name in request:
            _require_running(job)
            job.request[name] = request[name]
    machine.record_undocumented_change(job, now)
    return {"TrainingJobArn": job.arn}


def delete_training_job(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(machine, request, now)
    if not job.is_terminal:
        raise AwsError("ResourceInUse", "Training job is not in a terminal state")
    if job.has_waiting_pool:
        raise AwsError("ResourceInUse", "Training job has a warm pool in status Available")
    machine.remove(job)
    return {}


def add_tags(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _tagged(machine, request["ResourceArn"], now)
    check_tags(request["Tags"])
    tags = job.tags | {tag["Key"]: tag["Value"] for tag in request["Tags"]}
    if len(tags) > _MAX_TAGS:
        raise invalid(f"The number of tags on a resource must not exceed {_MAX_TAGS}.")
    job.tags = tags
    if isinstance(job, TuningJob):
        machine.tuning.mark_changed(job)
    elif isinstance(job, ProcessingJob):
        machine.processing.mark_changed(job)
    elif isinstance(job, TrainingJob):
        machine.record_undocumented_change(job, now)
    return {"Tags": _tag_list(tags)}


def list_tags(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    """Returns all tags in one page: a resource has at most 50."""
    job = _tagged(machine, request["ResourceArn"], now)
    is_late = now < job.created_at + machine.behaviour.unknowns.tagged_after_seconds
    return {"Tags": [] if is_late else _tag_list(job.tags)}


OPERATIONS: dict[str, Callable[[StateMachine, dict[str, Any], float], dict[str, Any]]] = {
    "CreateTrainingJob": create_training_job,
    "DescribeTrainingJob": describe_training_job,
    "ListTrainingJobs": list_training_jobs,
    "Search": search,
    "StopTrainingJob": stop_training_job,
    "UpdateTrainingJob": update_training_job,
    "DeleteTrainingJob": delete_training_job,
    "AddTags": add_tags,
    "ListTags": list_tags,
    **TUNING_OPERATIONS,
    **PROCESSING_OPERATIONS,
    **PIPELINE_OPERATIONS,
    **HOSTING_OPERATIONS,
    **AUTOML_OPERATIONS,
}


def _job(machine: StateMachine, request: dict[str, Any], now: float) -> TrainingJob:
    name = request["TrainingJobName"]
    return _described(machine, machine.jobs.get(name) or machine.past_jobs.get(name), now)


def _tagged(machine: StateMachine, arn: str, now: float) -> _Job:
    jobs: list[_Job] = [*machine.jobs.values(), *machine.tuning.by_name.values()]
    jobs += [*machine.processing.by_key.values(), *machine.automl.values()]
    return _described(machine, next((job for job in jobs if job.arn == arn), None), now)


def _described(machine: StateMachine, job: _AnyJob | None, now: float) -> _AnyJob:
    if job is None or now < job.created_at + machine.behaviour.unknowns.described_after_seconds:
        raise not_found()
    return job


def _listed(machine: StateMachine, now: float) -> list[TrainingJob]:
    delay = machine.behaviour.unknowns.listed_after_seconds
    jobs = [*machine.jobs.values(), *machine.past_jobs.values()]
    return [as_of(job, now - delay) for job in jobs if now >= job.created_at + delay]


def _set_keep_alive(job: TrainingJob, seconds: int, now: float) -> None:
    if not job.has_waiting_pool or job.warm_pool is None:
        raise invalid("KeepAlivePeriodInSeconds can only be updated while the warm pool is in status Available.")
    job.request["ResourceConfig"]["KeepAlivePeriodInSeconds"] = seconds
    job.modified_at = now
    job.warm_pool.expires_at = now if seconds == 0 else job.warm_pool.since + seconds


def _require_running(job: TrainingJob) -> None:
    if job.status is not Status.IN_PROGRESS:
        raise in_status(job.status)


def _tag_list(tags: dict[str, str]) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags.items()]
