"""Reads the training jobs that a tuning job may start, as if each were requested separately."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scheduler.core.jobs.work.definitions import definitions_in

#: Members that have the same meaning in a definition and in a CreateTrainingJob request.
SHARED = (
    "AlgorithmSpecification",
    "RoleArn",
    "InputDataConfig",
    "VpcConfig",
    "OutputDataConfig",
    "ResourceConfig",
    "StoppingCondition",
    "EnableNetworkIsolation",
    "EnableInterContainerTrafficEncryption",
    "EnableManagedSpotTraining",
    "CheckpointConfig",
    "RetryStrategy",
    "Environment",
)
_RESOURCES = "HyperParameterTuningResourceConfig"


@dataclass(frozen=True, slots=True)
class ChildRequest:
    """The request of a training job that a tuning job may start, with the path of its definition."""

    path: str
    request: Mapping[str, Any]


def child_requests(request: Mapping[str, Any]) -> tuple[ChildRequest, ...]:
    """Returns the request of each kind of trial: one for each definition and each of its instance types."""
    return tuple(
        ChildRequest(path, {**_shared(request, definition), **resources})
        for path, definition in definitions_in(request)
        for resources in _each_resources(definition)
    )


def _shared(request: Mapping[str, Any], definition: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the members that do not depend on the instances. SageMaker gives trials the tags of the tuning job."""
    given = {name: definition[name] for name in SHARED if name in definition}
    name = {"TrainingJobName": request["HyperParameterTuningJobName"]}
    tags = {"Tags": request["Tags"]} if "Tags" in request else {}
    return {**given, **name, **tags, "HyperParameters": definition.get("StaticHyperParameters", {})}


def _each_resources(definition: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if _RESOURCES not in definition:
        yield {}
        return
    resources = definition[_RESOURCES]
    shared = {name: value for name, value in resources.items() if name not in ("InstanceConfigs", "AllocationStrategy")}
    each: Sequence[Mapping[str, Any]] = resources.get("InstanceConfigs") or ({},)
    for instances in each:
        yield {"ResourceConfig": {**shared, **instances}}
