"""The API operations: each takes the world, a request that fits the model, and the time, and gives the answer."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from local_sagemaker.api.listing import as_of, list_page
from local_sagemaker.api.request_rules import check_create, check_tags
from local_sagemaker.api.search import search_page
from local_sagemaker.errors import AwsError, in_status, invalid, name_taken, not_found
from local_sagemaker.state_machine import warm_pools
from local_sagemaker.state_machine.description import describe
from local_sagemaker.state_machine.job import PoolStatus, Secondary, Status, TrainingJob
from local_sagemaker.state_machine.lifecycle import end_pool

if TYPE_CHECKING:
    from local_sagemaker.state_machine.machine import World

_MAX_TAGS = 50


def create_training_job(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    unknowns = world.behaviour.unknowns
    check_create(request, unknowns.longest_keep_alive_seconds)
    request = deepcopy(request)
    tags = {tag["Key"]: tag["Value"] for tag in request.pop("Tags", [])}
    name = request["TrainingJobName"]
    if name in world.jobs:
        raise name_taken(world.jobs[name].arn)
    pool = warm_pools.matching(request, world.jobs.values())
    if pool is None:
        world.behaviour.quotas.admit(request, world.counted(now))
    else:
        end_pool(pool, PoolStatus.REUSED, now, reused_by=name)
        world.change_quietly(pool, now)
    arn_name = name.lower() if unknowns.lower_case_arns else name
    arn = f"arn:aws:sagemaker:{world.behaviour.region}:{world.behaviour.account}:training-job/{arn_name}"
    job = TrainingJob(request, arn, created_at=now, modified_at=now, tags=tags)
    world.add(job)
    world.lifecycle.start(job, now, on_warm_pool=pool is not None)
    return {"TrainingJobArn": arn}


def describe_training_job(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    return describe(_job(world, request, now))


def list_training_jobs(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    oldest_first = world.behaviour.unknowns.lists_oldest_first
    return list_page(_listed(world, now), {"SortOrder": "Ascending" if oldest_first else "Descending"} | request)


def search(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    return search_page(_listed(world, now), request)


def stop_training_job(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(world, request, now)
    if job.is_terminal:
        raise in_status(job.status)
    if job.status is not Status.STOPPING:
        world.lifecycle.stop(job, Secondary.STOPPED, now)
    elif world.behaviour.unknowns.refuses_second_stop:
        raise in_status(job.status)
    return {}


def update_training_job(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(world, request, now)
    if "ResourceConfig" in request:
        _keep_alive(job, request["ResourceConfig"]["KeepAlivePeriodInSeconds"], now)
    for name in ("ProfilerConfig", "ProfilerRuleConfigurations", "RemoteDebugConfig"):
        if name in request:
            _require_running(job)
            job.request[name] = request[name]
    world.change_quietly(job, now)
    return {"TrainingJobArn": job.arn}


def delete_training_job(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(world, request, now)
    if not job.is_terminal:
        raise AwsError("ResourceInUse", "Training job is not in a terminal state")
    if job.has_waiting_pool:
        raise AwsError("ResourceInUse", "Training job has a warm pool in status Available")
    world.remove(job)
    return {}


def add_tags(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job_by_arn(world, request["ResourceArn"], now)
    check_tags(request["Tags"])
    tags = job.tags | {tag["Key"]: tag["Value"] for tag in request["Tags"]}
    if len(tags) > _MAX_TAGS:
        raise invalid(f"The number of tags on a resource must not exceed {_MAX_TAGS}.")
    job.tags = tags
    world.change_quietly(job, now)
    return {"Tags": _tag_list(tags)}


def list_tags(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    """One page always holds all 50."""
    return {"Tags": _tag_list(_job_by_arn(world, request["ResourceArn"], now).tags)}


OPERATIONS: dict[str, Callable[[World, dict[str, Any], float], dict[str, Any]]] = {
    "CreateTrainingJob": create_training_job,
    "DescribeTrainingJob": describe_training_job,
    "ListTrainingJobs": list_training_jobs,
    "Search": search,
    "StopTrainingJob": stop_training_job,
    "UpdateTrainingJob": update_training_job,
    "DeleteTrainingJob": delete_training_job,
    "AddTags": add_tags,
    "ListTags": list_tags,
}


def _job(world: World, request: dict[str, Any], now: float) -> TrainingJob:
    return _known(world, world.jobs.get(request["TrainingJobName"]), now)


def _job_by_arn(world: World, arn: str, now: float) -> TrainingJob:
    return _known(world, next((job for job in world.jobs.values() if job.arn == arn), None), now)


def _known(world: World, job: TrainingJob | None, now: float) -> TrainingJob:
    if job is None or now < job.created_at + world.behaviour.unknowns.described_after_seconds:
        raise not_found()
    return job


def _listed(world: World, now: float) -> list[TrainingJob]:
    delay = world.behaviour.unknowns.listed_after_seconds
    return [as_of(job, now - delay) for job in world.jobs.values() if now >= job.created_at + delay]


def _keep_alive(job: TrainingJob, seconds: int, now: float) -> None:
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
