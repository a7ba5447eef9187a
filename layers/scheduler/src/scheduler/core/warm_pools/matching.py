"""Determines which jobs SageMaker starts on a warm pool: all the fields it compares must match (aws-facts 2.51)."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_RESOURCES = ("InstanceType", "InstanceCount", "VolumeSizeInGB", "VolumeKmsKeyId")
_FLAGS = ("EnableInterContainerTrafficEncryption", "EnableNetworkIsolation")
_VPC = ("SecurityGroupIds", "Subnets")


def pool_key(request: Mapping[str, Any]) -> str:
    """Returns a key that two requests share if and only if each fits the other's pool.

    The key is empty for a request that can neither use nor leave a pool.
    """
    resources = request["ResourceConfig"]
    # Spot jobs and mixed clusters have no pools (aws-facts 2.54). For training plans, none are documented.
    if request.get("EnableManagedSpotTraining") or "InstanceType" not in resources or "TrainingPlanArn" in resources:
        return ""
    # SageMaker would compare chained session tags too, but they are not known here.
    if request.get("SessionChainingConfig", {}).get("EnableSessionTagChaining"):
        return ""
    return sha256(json.dumps(matching_fields(request)).encode()).hexdigest()[:16]


def matching_fields(request: Mapping[str, Any]) -> dict[str, object]:
    """Returns the fields that SageMaker compares, by path. A missing field counts as its default."""
    resources, vpc = request.get("ResourceConfig", {}), request.get("VpcConfig", {})
    return {
        "RoleArn": request.get("RoleArn"),
        **{f"ResourceConfig.{name}": resources.get(name) for name in _RESOURCES},
        **{f"VpcConfig.{name}": list(vpc.get(name, ())) for name in _VPC},
        **{name: bool(request.get(name)) for name in _FLAGS},
    }


def differing_fields(request: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the paths of the fields that keep one request from using the other's pool."""
    fields, other_fields = matching_fields(request), matching_fields(other)
    return tuple(path for path, value in fields.items() if value != other_fields[path])
