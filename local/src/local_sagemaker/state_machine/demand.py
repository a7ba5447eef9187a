"""The instances a request asks for."""

from collections import Counter
from collections.abc import Iterator
from typing import Any


def demand(request: dict[str, Any]) -> Counter[str]:
    """Instances per type; of preferences the first, which counts until one is selected."""
    counts: Counter[str] = Counter()
    for group in groups(request):
        counts[group["InstanceType"]] += group["InstanceCount"]
    return counts


def is_reserved(request: dict[str, Any]) -> bool:
    """It runs on the capacity of a training plan, which no quota limits and which cannot run short."""
    return "TrainingPlanArn" in request.get("ResourceConfig", {})


def groups(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The instance groups; a homogeneous cluster is one group without a name. Serverless jobs have none."""
    resources = request.get("ResourceConfig", {})
    if resources.get("InstanceGroups"):
        yield from resources["InstanceGroups"]
    elif resources.get("InstancePreferences"):
        yield preferences(request)[0]
    elif "InstanceType" in resources:
        yield resources


def preferences(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Types and counts in their order; a count may be given once for all of them."""
    resources = request.get("ResourceConfig", {})
    shared = {"InstanceCount": resources.get("InstanceCount")}
    return [{**shared, **preference} for preference in resources.get("InstancePreferences", ())]
