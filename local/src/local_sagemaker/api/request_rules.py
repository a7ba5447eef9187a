"""The rules of CreateTrainingJob that the API's model does not express."""

from typing import Any

from local_sagemaker.errors import invalid

_LONGEST_SECONDS = 28 * 86400


def check_create(request: dict[str, Any], longest_keep_alive: int) -> None:
    _check_waiting(request)
    _check_resources(request)
    _check_keep_alive(request, longest_keep_alive)
    check_tags(request.get("Tags", []))


def check_tags(tags: list[dict[str, str]]) -> None:
    keys = [tag["Key"] for tag in tags]
    for key in keys:
        if key.lower().startswith("aws:"):
            raise invalid(f"aws: prefixed tag key names are not allowed for external use: {key}")
    if len(set(keys)) < len(keys):
        raise invalid("Duplicate tag keys found. Please note that Tag keys are case insensitive.")


def _check_waiting(request: dict[str, Any]) -> None:
    condition = request.get("StoppingCondition", {})
    if max(condition.values(), default=0) > _LONGEST_SECONDS:
        raise invalid(f"Invalid StoppingCondition. No time in it can be longer than {_LONGEST_SECONDS} seconds")
    wait = condition.get("MaxWaitTimeInSeconds")
    if not request.get("EnableManagedSpotTraining"):
        if wait is not None:
            raise invalid(
                "Invalid MaxWaitTimeInSeconds. It is only supported when EnableManagedSpotTraining is set to true"
            )
    elif wait is None or wait < condition.get("MaxRuntimeInSeconds", 86400):
        raise invalid(
            "Invalid MaxWaitTimeInSeconds. It must be present and be greater than or equal to MaxRuntimeInSeconds"
        )


def _check_resources(request: dict[str, Any]) -> None:
    resources = request.get("ResourceConfig")
    if resources is None:
        if "ServerlessJobConfig" not in request:
            raise invalid("ResourceConfig is required unless ServerlessJobConfig is given.")
        return
    if any(name in resources for name in ("SelectedInstanceType", "SelectedInstanceCount")):
        raise invalid("SelectedInstanceType and SelectedInstanceCount cannot be set.")
    if sum(name in resources for name in ("InstanceType", "InstanceGroups", "InstancePreferences")) != 1:
        raise invalid(
            "Exactly one of InstanceType, InstanceGroups and InstancePreferences must be given in ResourceConfig."
        )
    if "InstancePreferences" in resources and request.get("EnableManagedSpotTraining"):
        raise invalid("InstancePreferences is not supported with managed spot training.")
    _check_preferences(resources)
    if "InstanceType" in resources and resources.get("InstanceCount", 0) < 1:
        raise invalid("InstanceCount must be at least 1 when InstanceType is given in ResourceConfig.")


def _check_preferences(resources: dict[str, Any]) -> None:
    preferences = resources.get("InstancePreferences", [])
    types = [preference["InstanceType"] for preference in preferences]
    if len(set(types)) < len(types):
        raise invalid("An instance type can appear only once in InstancePreferences.")
    counts = [preference.get("InstanceCount") for preference in preferences]
    counted = [count is not None for count in counts]
    is_given_once = ("InstanceCount" in resources) + any(counted) == 1
    if preferences and not (is_given_once and any(counted) == all(counted)):
        raise invalid("InstanceCount must be given for every one of InstancePreferences, or once for all of them.")
    if 0 in counts:
        raise invalid("InstanceCount must be at least 1 in InstancePreferences.")


def _check_keep_alive(request: dict[str, Any], longest: int) -> None:
    resources = request.get("ResourceConfig", {})
    seconds = resources.get("KeepAlivePeriodInSeconds", 0)
    if seconds == 0:
        return
    if seconds > longest:
        raise invalid(f"KeepAlivePeriodInSeconds must be less than or equal to {longest}.")
    if request.get("EnableManagedSpotTraining"):
        raise invalid("KeepAlivePeriodInSeconds is not supported with managed spot training.")
    if "InstanceGroups" in resources:
        raise invalid("KeepAlivePeriodInSeconds is not supported with heterogeneous clusters.")
