"""Reads the instances from the ResourceConfig of a request, or of SageMaker's description of a training job."""

from collections.abc import Mapping
from typing import Any

from scheduler.core.jobs.demand import NOTHING, Demand, budget_line_of, total


def instances_of(resources: Mapping[str, Any]) -> Demand:
    """Returns the demand by budget line. If it is unclear, the result is an upper bound (aws-facts 2.56 to 2.58)."""
    plan = resources.get("TrainingPlanArn")
    if "SelectedInstanceType" in resources:
        return _demand_of(resources["SelectedInstanceType"], plan, resources.get("SelectedInstanceCount", 1))
    groups = resources.get("InstanceGroups") or resources.get("InstancePreferences") or [resources]
    shared = resources.get("InstanceCount", 1)  # for preferences that have no separate count
    return total(
        _demand_of(group["InstanceType"], plan, group.get("InstanceCount", shared))
        for group in groups
        if "InstanceType" in group
    )


def selected_of(resources: Mapping[str, Any]) -> Demand:
    """Returns the selected instances; none before SageMaker has selected a preference, or without preferences."""
    return instances_of(resources) if "SelectedInstanceType" in resources else NOTHING


def _demand_of(instance_type: str, plan: str | None, count: int) -> Demand:
    return Demand.of({budget_line_of(instance_type, plan): count})
