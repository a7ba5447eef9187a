"""Checks rules of CreateProcessingJob that the API's model does not express. The texts are the emulator's."""

from typing import Any

from local_sagemaker.api.request_rules import check_tags
from local_sagemaker.errors import invalid


def check_create(request: dict[str, Any]) -> None:
    cluster = request["ProcessingResources"]["ClusterConfig"]
    if ("InstanceType" in cluster) == ("InstancePreferences" in cluster):
        raise invalid("Exactly one of InstanceType and InstancePreferences must be given in ClusterConfig.")
    if any(name in cluster for name in ("SelectedInstanceType", "SelectedInstanceCount")):
        raise invalid("SelectedInstanceType and SelectedInstanceCount cannot be set.")
    if "InstanceType" in cluster and "InstanceCount" not in cluster:
        raise invalid("InstanceCount must be given when InstanceType is given in ClusterConfig.")
    for preference in cluster.get("InstancePreferences", []):
        if ("InstanceCount" in preference) == ("InstanceCount" in cluster):
            raise invalid("InstanceCount must be given for every one of InstancePreferences, or once for all of them.")
    outputs = request.get("ProcessingOutputConfig", {}).get("Outputs", [])
    _check_unique("InputName", request.get("ProcessingInputs", []))
    _check_unique("OutputName", outputs)
    check_tags(request.get("Tags", []))


def _check_unique(member: str, items: list[dict[str, Any]]) -> None:
    names = [item[member] for item in items]
    if len(set(names)) < len(names):
        raise invalid(f"{member} must be unique.")
