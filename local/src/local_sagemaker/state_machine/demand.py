"""The instances that a request asks for: by type, by group, and by preference."""

from collections import Counter
from collections.abc import Iterator
from typing import Any


def demand(request: dict[str, Any]) -> Counter[str]:
    """Counts the instances of each type. Of several preferences the first counts until one is selected."""
    counts: Counter[str] = Counter()
    for group in instance_groups(request):
        counts[group["InstanceType"]] += group["InstanceCount"]
    return counts


def is_reserved(request: dict[str, Any]) -> bool:
    """Returns whether the request uses a training plan: no quota limits its capacity, and it never runs short."""
    return "TrainingPlanArn" in request.get("ResourceConfig", {})


def instance_groups(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the instance groups. A homogeneous cluster is one group without a name; a serverless job has none."""
    resources = request.get("ResourceConfig", {})
    if resources.get("InstanceGroups"):
        yield from resources["InstanceGroups"]
    elif resources.get("InstancePreferences"):
        yield preferences(request)[0]
    elif "InstanceType" in resources:
        yield resources


def preferences(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the preferred types and counts in order. A count may be given once for all of them."""
    resources = request.get("ResourceConfig", {})
    shared = {"InstanceCount": resources.get("InstanceCount")}
    return [{**shared, **preference} for preference in resources.get("InstancePreferences", ())]
