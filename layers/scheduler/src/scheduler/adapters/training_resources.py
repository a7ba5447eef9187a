"""How many instances the ResourceConfig of any training job stands for, ours or not."""

from collections.abc import Mapping
from typing import Any

from scheduler.domain.demand import NOTHING, Demand, total


def instances_of(resources: Mapping[str, Any]) -> Demand:
    """In doubt more than less. A training plan has capacity of its own (aws-facts 2.56 to 2.58)."""
    if "TrainingPlanArn" in resources:
        return NOTHING
    if "SelectedInstanceType" in resources:
        return _part(resources["SelectedInstanceType"], resources.get("SelectedInstanceCount", 1))
    groups = resources.get("InstanceGroups") or resources.get("InstancePreferences") or [resources]
    return total(
        _part(group["InstanceType"], group.get("InstanceCount", 1)) for group in groups if "InstanceType" in group
    )


def _part(instance_type: str, count: int) -> Demand:
    return Demand.of({instance_type: count})
