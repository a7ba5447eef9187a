"""Warm pools: which retained instances a new job may reuse, and how retained instances end."""

from collections.abc import Iterable
from typing import Any

from local_sagemaker.state_machine.job import PoolStatus, TrainingJob, WarmPool

_RESOURCES = ("InstanceType", "InstanceCount", "VolumeKmsKeyId", "VolumeSizeInGB")
_CONFIGS = ("RoleArn", "VpcConfig", "EnableInterContainerTrafficEncryption", "EnableNetworkIsolation")


def find_pool(request: dict[str, Any], jobs: Iterable[TrainingJob]) -> TrainingJob | None:
    """Returns the job whose warm pool matches. Only a job with its own keep-alive period reuses a pool."""
    if not request.get("ResourceConfig", {}).get("KeepAlivePeriodInSeconds"):
        return None
    for job in jobs:
        if job.has_waiting_pool and matching_key(job.request) == matching_key(request):
            return job
    return None


def matching_key(request: dict[str, Any]) -> list[Any]:
    """Returns the values in which a request must equal that of the pool."""
    resources = request["ResourceConfig"]
    return [resources.get(name) or None for name in _RESOURCES] + [request.get(name) or None for name in _CONFIGS]


def end_pool(job: TrainingJob, status: PoolStatus, now: float, reused_by: str | None = None) -> None:
    """Ends the job's warm pool: it was released, expired, or another job reuses it."""
    if job.warm_pool is not None:
        retained = round(now - job.warm_pool.since)
        job.warm_pool = WarmPool(status, job.warm_pool.since, retained_seconds=retained, reused_by=reused_by)
