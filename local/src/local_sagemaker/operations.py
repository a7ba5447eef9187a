"""The API operations: each takes the world, a request that fits the model, and the time, and gives the answer."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from local_sagemaker import warm_pools
from local_sagemaker.description import describe
from local_sagemaker.errors import AwsError, in_status, invalid, name_taken, not_found
from local_sagemaker.job import PoolStatus, Secondary, Status, TrainingJob
from local_sagemaker.lifecycle import end_pool
from local_sagemaker.listing import list_page
from local_sagemaker.rules import check_create, check_tags

if TYPE_CHECKING:
    from local_sagemaker.world import World

_MAX_TAGS = 50


def create_training_job(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    check_create(request)
    request = deepcopy(request)
    tags = {tag["Key"]: tag["Value"] for tag in request.pop("Tags", [])}
    name = request["TrainingJobName"]
    if name in world.jobs:
        raise name_taken(world.jobs[name].arn)
    pool = warm_pools.matching(request, world.jobs.values())
    if pool is None:
        world.behaviour.quotas.admit(request, world.jobs.values())
    else:
        end_pool(pool, PoolStatus.REUSED, now, reused_by=name)
        world.touch(pool)
    behaviour = world.behaviour
    arn = f"arn:aws:sagemaker:{behaviour.region}:{behaviour.account}:training-job/{name}"
    job = TrainingJob(request, arn, created_at=now, modified_at=now, tags=tags)
    world.add(job)
    world.lifecycle.start(job, now, on_warm_pool=pool is not None)
    return {"TrainingJobArn": arn}


def describe_training_job(world: World, request: dict[str, Any], _now: float) -> dict[str, Any]:
    return describe(_job(world, request))


def list_training_jobs(world: World, request: dict[str, Any], _now: float) -> dict[str, Any]:
    return list_page(world.jobs.values(), request)


def stop_training_job(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(world, request)
    if job.is_terminal:
        raise in_status(job.status)
    if job.status is not Status.STOPPING:
        world.lifecycle.stop(job, Secondary.STOPPED, now)
    elif world.behaviour.refuses_second_stop:
        raise in_status(job.status)
    return {}


def update_training_job(world: World, request: dict[str, Any], now: float) -> dict[str, Any]:
    job = _job(world, request)
    if "ResourceConfig" in request:
        _keep_alive(job, request["ResourceConfig"]["KeepAlivePeriodInSeconds"], now)
    for name in ("ProfilerConfig", "ProfilerRuleConfigurations", "RemoteDebugConfig"):
        if name in request:
            _require_running(job)
            job.request[name] = request[name]
    world.touch(job)
    return {"TrainingJobArn": job.arn}


def delete_training_job(world: World, request: dict[str, Any], _now: float) -> dict[str, Any]:
    job = _job(world, request)
    if not job.is_terminal:
        raise AwsError("ResourceInUse", "Training job is not in a terminal state")
    if _has_waiting_pool(job):
        raise AwsError("ResourceInUse", "Training job has a warm pool in status Available")
    world.remove(job)
    return {}


def add_tags(world: World, request: dict[str, Any], _now: float) -> dict[str, Any]:
    job = _job_by_arn(world, request["ResourceArn"])
    check_tags(request["Tags"])
    tags = job.tags | {tag["Key"]: tag["Value"] for tag in request["Tags"]}
    if len(tags) > _MAX_TAGS:
        raise invalid(f"The number of tags on a resource must not exceed {_MAX_TAGS}.")
    job.tags = tags
    world.touch(job)
    return {"Tags": _tag_list(tags)}


def list_tags(world: World, request: dict[str, Any], _now: float) -> dict[str, Any]:
    """One page always holds all 50."""
    return {"Tags": _tag_list(_job_by_arn(world, request["ResourceArn"]).tags)}


OPERATIONS: dict[str, Callable[[World, dict[str, Any], float], dict[str, Any]]] = {
    "CreateTrainingJob": create_training_job,
    "DescribeTrainingJob": describe_training_job,
    "ListTrainingJobs": list_training_jobs,
    "StopTrainingJob": stop_training_job,
    "UpdateTrainingJob": update_training_job,
    "DeleteTrainingJob": delete_training_job,
    "AddTags": add_tags,
    "ListTags": list_tags,
}


def _job(world: World, request: dict[str, Any]) -> TrainingJob:
    job = world.jobs.get(request["TrainingJobName"])
    if job is None:
        raise not_found()
    return job


def _job_by_arn(world: World, arn: str) -> TrainingJob:
    job = world.jobs.get(arn.rpartition("/")[2])
    if job is None or job.arn != arn:
        raise not_found()
    return job


def _keep_alive(job: TrainingJob, seconds: int, now: float) -> None:
    if not _has_waiting_pool(job) or job.warm_pool is None:
        raise invalid("KeepAlivePeriodInSeconds can only be updated while the warm pool is in status Available.")
    job.request["ResourceConfig"]["KeepAlivePeriodInSeconds"] = seconds
    job.modified_at = now
    job.warm_pool.expires_at = now if seconds == 0 else job.warm_pool.since + seconds


def _require_running(job: TrainingJob) -> None:
    if job.status is not Status.IN_PROGRESS:
        raise in_status(job.status)


def _has_waiting_pool(job: TrainingJob) -> bool:
    return job.warm_pool is not None and job.warm_pool.status is PoolStatus.AVAILABLE


def _tag_list(tags: dict[str, str]) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags.items()]
