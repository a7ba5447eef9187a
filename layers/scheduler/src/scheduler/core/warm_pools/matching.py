"""Which job SageMaker starts on the warm pool of another one: what it compares must be the same (aws-facts 2.51)."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_RESOURCES = ("InstanceType", "InstanceCount", "VolumeSizeInGB", "VolumeKmsKeyId")
_FLAGS = ("EnableInterContainerTrafficEncryption", "EnableNetworkIsolation")
_VPC = ("SecurityGroupIds", "Subnets")


def pool_key(request: Mapping[str, Any]) -> str:
    """The same for two requests exactly if one fits the pool of the other; empty if it fits none and leaves none.

    Those are spot jobs and mixed clusters (aws-facts 2.54); where session tags are chained these count too, and they
    are not known here. Of a training plan's instances nothing of the kind is documented.
    """
    resources = request["ResourceConfig"]
    if request.get("EnableManagedSpotTraining") or "InstanceType" not in resources or "TrainingPlanArn" in resources:
        return ""
    if request.get("SessionChainingConfig", {}).get("EnableSessionTagChaining"):
        return ""
    return sha256(json.dumps(compared(request)).encode()).hexdigest()[:16]


def compared(request: Mapping[str, Any]) -> dict[str, object]:
    """By path what SageMaker compares; what is left out, also of a request that is broken, counts as its default."""
    resources, vpc = request.get("ResourceConfig", {}), request.get("VpcConfig", {})
    return {
        "RoleArn": request.get("RoleArn"),
        **{f"ResourceConfig.{name}": resources.get(name) for name in _RESOURCES},
        **{f"VpcConfig.{name}": list(vpc.get(name, ())) for name in _VPC},
        **{name: bool(request.get(name)) for name in _FLAGS},
    }


def differing_fields(request: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields that keep the one from the pool of the other."""
    mine, others = compared(request), compared(other)
    return tuple(path for path, value in mine.items() if value != others[path])
