"""Reads what the queue needs from a CreateTrainingJob request: demand, longest run time, digest."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from scheduler.core.jobs.demand import Demand, budget_line_of, total
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.requests.instance_preferences import has_preferences, worst_case_demand
from scheduler.errors.refusals import BadRequest

#: SageMaker's default if StoppingCondition does not set it (aws-facts 2.40).
DEFAULT_MAX_RUNTIME = 86_400


def demand_of(request: Mapping[str, Any]) -> Demand:
    """Returns the instances by budget line. Raises BadRequest.

    A heterogeneous cluster needs the sum of its groups, and preferences need all of theirs until SageMaker has
    selected one.
    """
    if has_preferences(request):
        return worst_case_demand(request)
    resources = request["ResourceConfig"]
    plan = resources.get("TrainingPlanArn")
    groups = resources.get("InstanceGroups")
    if not groups:
        return _demand_of_group(resources, plan, "ResourceConfig")
    if "InstanceType" in resources or "InstanceCount" in resources:
        raise BadRequest(
            "ResourceConfig has InstanceGroups and also InstanceType or InstanceCount",
            field="ResourceConfig.InstanceGroups",
            remedy="Set one or the other.",
        )
    return total(
        _demand_of_group(group, plan, f"ResourceConfig.InstanceGroups[{index}]") for index, group in enumerate(groups)
    )


def _demand_of_group(resources: Mapping[str, Any], plan: str | None, path: str) -> Demand:
    for field in ("InstanceType", "InstanceCount"):
        if not resources.get(field):  # SageMaker's API model allows a count of 0
            raise BadRequest(
                f"{path}.{field} is missing or 0",
                field=f"{path}.{field}",
                remedy="Set InstanceType and an InstanceCount of at least 1, or InstanceGroups.",
            )
    return Demand.of({budget_line_of(resources["InstanceType"], plan): resources["InstanceCount"]})


def max_runtime_of(request: Mapping[str, Any]) -> int:
    """Returns the longest run time in seconds. Raises BadRequest."""
    seconds: int = request["StoppingCondition"].get("MaxRuntimeInSeconds", DEFAULT_MAX_RUNTIME)
    if seconds > MAX_MAX_RUNTIME:
        raise BadRequest(
            f"StoppingCondition.MaxRuntimeInSeconds is {seconds}; SageMaker allows 28 days",
            field="StoppingCondition.MaxRuntimeInSeconds",
            remedy=f"Use at most {MAX_MAX_RUNTIME}.",
        )
    return seconds


def is_spot(request: Mapping[str, Any]) -> bool:
    """Tells whether the request asks for managed spot instances."""
    return bool(request.get("EnableManagedSpotTraining"))


def digest_of(request: Mapping[str, Any]) -> str:
    """Returns a digest that is the same for two bodies exactly if their content is the same."""
    return sha256(json.dumps(request, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
