"""Implements each operation of processing jobs as a function of the state machine, a valid request and the time."""

from collections.abc import Callable
from copy import deepcopy
from operator import attrgetter
from typing import Any

from local_sagemaker.api.paging import cut_page
from local_sagemaker.api.processing.request_rules import check_create
from local_sagemaker.errors import processing_in_status, processing_job_not_found, processing_name_taken
from local_sagemaker.state_machine.machine import StateMachine
from local_sagemaker.state_machine.processing.description import describe, summarize
from local_sagemaker.state_machine.processing.job import (
    ProcessingJob,
    ProcessingStatus,
    cluster_request,
    processing_key,
)

_SORT_KEYS: dict[str, Callable[[ProcessingJob], tuple[Any, ...]]] = {
    "Name": lambda job: (job.name,),
    "CreationTime": attrgetter("created_at", "name"),
    "Status": attrgetter("status", "name"),
}


def create(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    check_create(request)
    request = deepcopy(request)
    tags = {tag["Key"]: tag["Value"] for tag in request.pop("Tags", [])}
    name = request["ProcessingJobName"]
    known = machine.processing.by_key.get(processing_key(name))
    if known is not None:
        raise processing_name_taken(known.arn)
    machine.behaviour.quotas.admit_processing(cluster_request(request), machine.processing.held_instances())
    job = ProcessingJob(request, machine.arn("processing-job", name), created_at=now, modified_at=now, tags=tags)
    machine.processing.add(job, now)
    return {"ProcessingJobArn": job.arn}


def describe_job(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    return describe(_job(machine, request, now))


def list_jobs(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    """Returns a page of ListProcessingJobs. As for training jobs, filters apply after the page is cut."""
    unknowns = machine.behaviour.unknowns
    jobs = [job for job in machine.processing.by_key.values() if now >= job.created_at + unknowns.listed_after_seconds]
    found = jobs if unknowns.cuts_pages_first else [job for job in jobs if _is_selected(job, request)]
    order = {"SortOrder": "Ascending" if unknowns.lists_oldest_first else "Descending"}
    page, token = cut_page(found, order | request, _SORT_KEYS[request.get("SortBy", "CreationTime")], unknowns, now)
    wanted = request.get("StatusEquals")
    shown = [job for job in page if wanted in {None, job.status} and _is_selected(job, request)]
    return {"ProcessingJobSummaries": [summarize(job) for job in shown], **token}


def stop(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(machine, request, now)
    if job.is_terminal:
        raise processing_in_status(job.status)
    if job.status is not ProcessingStatus.STOPPING:
        machine.processing.stop(job, now)
    elif machine.behaviour.unknowns.refuses_second_stop:
        raise processing_in_status(job.status)
    return {}


def delete(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(machine, request, now)
    if not job.is_terminal:
        raise processing_in_status(job.status)
    machine.processing.remove(job)
    return {}


OPERATIONS: dict[str, Callable[[StateMachine, dict[str, Any], float], dict[str, Any]]] = {
    "CreateProcessingJob": create,
    "DescribeProcessingJob": describe_job,
    "ListProcessingJobs": list_jobs,
    "StopProcessingJob": stop,
    "DeleteProcessingJob": delete,
}


def _job(machine: StateMachine, request: dict[str, Any], now: float) -> ProcessingJob:
    name = request["ProcessingJobName"]
    job = machine.processing.by_key.get(processing_key(name))
    if job is None or now < job.created_at + machine.behaviour.unknowns.described_after_seconds:
        raise processing_job_not_found(name)
    return job


def _is_selected(job: ProcessingJob, request: dict[str, Any]) -> bool:
    return (
        request.get("NameContains", "") in job.name
        and request.get("CreationTimeAfter", job.created_at - 1) < job.created_at
        and request.get("CreationTimeBefore", job.created_at + 1) > job.created_at
        and request.get("LastModifiedTimeAfter", job.modified_at - 1) < job.modified_at
        and request.get("LastModifiedTimeBefore", job.modified_at + 1) > job.modified_at
    )
