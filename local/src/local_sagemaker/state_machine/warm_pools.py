"""Which retained instances a new job may take over."""

from collections.abc import Iterable
from typing import Any

from local_sagemaker.state_machine.job import TrainingJob

_RESOURCES = ("InstanceType", "InstanceCount", "VolumeKmsKeyId", "VolumeSizeInGB")
_CONFIGS = ("RoleArn", "VpcConfig", "EnableInterContainerTrafficEncryption", "EnableNetworkIsolation")


def matching(request: dict[str, Any], jobs: Iterable[TrainingJob]) -> TrainingJob | None:
    """The job whose waiting pool fits. Only a job that keeps its own instances alive takes over another's."""
    if not request.get("ResourceConfig", {}).get("KeepAlivePeriodInSeconds"):
        return None
    for job in jobs:
        if job.has_waiting_pool and _key(job.request) == _key(request):
            return job
    return None


def _key(request: dict[str, Any]) -> list[Any]:
    resources = request["ResourceConfig"]
    return [resources.get(name) or None for name in _RESOURCES] + [request.get(name) or None for name in _CONFIGS]
