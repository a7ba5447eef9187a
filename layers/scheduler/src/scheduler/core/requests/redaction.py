"""Hides possible secrets: hides most members of a request from strangers, and a request's values in SageMaker's
messages.

A stranger is a caller without the permission to control the job.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from scheduler.core.jobs.work.definitions import definitions_in

#: Members of a request, by path, that strangers see: the job's resources, location and duration.
SHOWN_TO_STRANGERS: Mapping[str, Any] = {
    "TrainingJobName": True,
    "ResourceConfig": {
        "InstanceType": True,
        "InstanceCount": True,
        "VolumeSizeInGB": True,
        "KeepAlivePeriodInSeconds": True,
        "TrainingPlanArn": True,
        "InstanceGroups": {"InstanceType": True, "InstanceCount": True},
        "InstancePreferences": {"InstanceType": True, "InstanceCount": True},
    },
    "VpcConfig": {"Subnets": True},  # capacity shortages also name them
    "StoppingCondition": {"MaxRuntimeInSeconds": True, "MaxWaitTimeInSeconds": True, "MaxPendingTimeInSeconds": True},
    "EnableManagedSpotTraining": True,
    "EnableNetworkIsolation": True,
    "EnableInterContainerTrafficEncryption": True,
    "ProcessingJobName": True,
    "ProcessingResources": {"ClusterConfig": {"InstanceType": True, "InstanceCount": True, "VolumeSizeInGB": True}},
    "NetworkConfig": {
        "EnableNetworkIsolation": True,
        "EnableInterContainerTrafficEncryption": True,
        "VpcConfig": {"Subnets": True},
    },
    "HyperParameterTuningJobName": True,
    "HyperParameterTuningJobConfig": {"Strategy": True, "ResourceLimits": True},
}
_SECRET_MEMBERS = ("HyperParameters", "StaticHyperParameters", "Environment")
# Validation messages quote whole maps of environment variables and hyperparameters, and may be cut off within one.
_QUOTED = re.compile(r"(?<=Value )'(.*?'(?= at '[^']*' failed to satisfy constraint)|.*)", re.DOTALL)
#: Characters. Shorter values are not treated as secrets, since they also occur in unrelated words and numbers.
_SHORTEST = 6


def shown_to_strangers(request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the members of a request that are visible without the permission to control its job."""
    shown: dict[str, Any] = _only(SHOWN_TO_STRANGERS, request)
    return shown


def is_shown_to_strangers(path: str) -> bool:
    """Returns whether strangers see the member at a path such as `ResourceConfig.InstanceType`."""
    allowed: Any = SHOWN_TO_STRANGERS
    for name in path.split("."):
        allowed = allowed.get(name, {})
    return allowed is True


def _only(allowed: Any, value: Any) -> Any:
    if allowed is True:
        return value
    if isinstance(value, list):
        return [_only(allowed, entry) for entry in value]
    return {name: _only(allowed[name], entry) for name, entry in value.items() if name in allowed}


def redacted(text: str, request: Mapping[str, Any]) -> str:
    """Replaces values of the request's hyperparameters and environment, and every quoted value, with an ellipsis."""
    for value in sorted(_values(request), key=len, reverse=True):
        text = text.replace(value, "…")
    return _QUOTED.sub("'…'", text)


def _values(request: Mapping[str, Any]) -> Iterator[str]:
    for part in (request, *(definition for _, definition in definitions_in(request))):
        for member in _SECRET_MEMBERS:
            yield from (value for value in part.get(member, {}).values() if len(value) >= _SHORTEST)
