"""Counts the instances in the ResourceConfig of any training job, managed or not."""

from collections.abc import Mapping
from typing import Any

from scheduler.core.jobs.demand import NOTHING, Demand, budget_line_of, total


def instances_of(resources: Mapping[str, Any]) -> Demand:
    """Returns the demand by budget line; in doubt too much rather than too little (aws-facts 2.56 to 2.58)."""
    plan = resources.get("TrainingPlanArn")
    if "SelectedInstanceType" in resources:
        return _part(resources["SelectedInstanceType"], plan, resources.get("SelectedInstanceCount", 1))
    groups = resources.get("InstanceGroups") or resources.get("InstancePreferences") or [resources]
    shared = resources.get("InstanceCount", 1)  # for preferences without a count of their own
    return total(
        _part(group["InstanceType"], plan, group.get("InstanceCount", shared))
        for group in groups
        if "InstanceType" in group
    )


def selected_of(resources: Mapping[str, Any]) -> Demand:
    """Returns what SageMaker selected of the preferences; nothing before the selection, or without preferences."""
    return instances_of(resources) if "SelectedInstanceType" in resources else NOTHING


def _part(instance_type: str, plan: str | None, count: int) -> Demand:
    return Demand.of({budget_line_of(instance_type, plan): count})
