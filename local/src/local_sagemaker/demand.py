"""The instances a request asks for."""

from collections import Counter
from collections.abc import Iterator
from typing import Any


def demand(request: dict[str, Any]) -> Counter[str]:
    """Instances per type; of InstancePreferences the first, which is what the emulator always selects."""
    counts: Counter[str] = Counter()
    for group in groups(request):
        counts[group["InstanceType"]] += group["InstanceCount"]
    return counts


def groups(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The instance groups; a homogeneous cluster is one group without a name. Serverless jobs have none."""
    resources = request.get("ResourceConfig", {})
    if resources.get("InstanceGroups"):
        yield from resources["InstanceGroups"]
    elif resources.get("InstancePreferences"):
        yield resources["InstancePreferences"][0]
    elif "InstanceType" in resources:
        yield resources
