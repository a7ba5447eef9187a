"""Checks the rules of CreateTrainingJob for instances and warm pools. The API's model does not express them."""

from collections.abc import Mapping
from typing import Any

from local_sagemaker.errors import invalid


def check_resources(request: Mapping[str, Any]) -> None:
    resources = request.get("ResourceConfig")
    if resources is None:
        if "ServerlessJobConfig" not in request:
            raise invalid("ResourceConfig is required unless ServerlessJobConfig is given.")
        return
    if any(name in resources for name in ("SelectedInstanceType", "SelectedInstanceCount")):
        raise invalid("SelectedInstanceType and SelectedInstanceCount cannot be set.")
    _check_kind(resources)
    _check_preferences(request, resources)
    placed = resources.get("InstancePlacementConfig", {}).get("PlacementSpecifications", [])
    for counted in (*resources.get("InstanceGroups", []), *resources.get("InstancePreferences", []), *placed):
        if counted.get("InstanceCount") == 0:
            raise invalid("InstanceCount must be at least 1.")
    if resources.get("InstanceCount", 1) == 0:
        raise invalid("InstanceCount must be at least 1.")


def check_keep_alive(request: Mapping[str, Any], longest: int) -> None:
    resources = request.get("ResourceConfig", {})
    seconds = resources.get("KeepAlivePeriodInSeconds", 0)
    if seconds == 0:
        return
    if seconds > longest:
        raise invalid(f"KeepAlivePeriodInSeconds must be less than or equal to {longest}.")
    if request.get("EnableManagedSpotTraining"):
        raise invalid("KeepAlivePeriodInSeconds is not supported with managed spot training.")
    if resources.get("InstanceGroups"):
        raise invalid("KeepAlivePeriodInSeconds is not supported with heterogeneous clusters.")


def _check_kind(resources: Mapping[str, Any]) -> None:
    if resources.get("InstanceGroups") and {"InstanceType", "InstanceCount"} & resources.keys():
        raise invalid("InstanceType or InstanceCount cannot be specified with InstanceGroups")
    if sum(bool(resources.get(name)) for name in ("InstanceType", "InstanceGroups", "InstancePreferences")) != 1:
        raise invalid(
            "Exactly one of InstanceType, InstanceGroups and InstancePreferences must be given in ResourceConfig."
        )
    if "InstanceType" in resources and "InstanceCount" not in resources:
        raise invalid("InstanceCount must be given when InstanceType is given in ResourceConfig.")


def _check_preferences(request: Mapping[str, Any], resources: Mapping[str, Any]) -> None:
    preferences = resources.get("InstancePreferences")
    if not preferences:
        return
    if request.get("EnableManagedSpotTraining"):
        raise invalid("InstancePreferences is not supported with managed spot training.")
    if "InstancePlacementConfig" in resources:
        raise invalid("InstancePreferences is not supported with InstancePlacementConfig.")
    if "TrainingPlanArn" in resources and any("TrainingPlanArns" in preference for preference in preferences):
        raise invalid("TrainingPlanArns of InstancePreferences is not supported with TrainingPlanArn.")
    if len({preference["InstanceType"] for preference in preferences}) < len(preferences):
        raise invalid("An instance type can appear only once in InstancePreferences.")
    counted = {"InstanceCount" in preference for preference in preferences}
    if counted != {"InstanceCount" not in resources}:
        raise invalid("InstanceCount must be given for every one of InstancePreferences, or once for all of them.")
