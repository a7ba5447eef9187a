"""Checks rules of CreateTrainingJob that the API's model does not express. Uses SageMaker's error texts where they are
known. The scheduler has its own rules from the same sources (docs/reference/rest.md). A test compares the two.
"""

from collections.abc import Mapping
from typing import Any

from local_sagemaker.api.input_rules import check_input, check_program
from local_sagemaker.api.resource_rules import check_keep_alive, check_resources
from local_sagemaker.errors import invalid

_LONGEST_SECONDS = 28 * 86400
_PROFILING_INTERVALS = {100, 200, 500, 1000, 5000, 60000}


def check_create(request: dict[str, Any], longest_keep_alive: int) -> None:
    _check_waiting(request)
    check_resources(request)
    check_keep_alive(request, longest_keep_alive)
    check_program(request)
    check_input(request)
    _check_debugger(request)
    check_tags(request.get("Tags", []))


def check_tags(tags: list[dict[str, str]]) -> None:
    keys = [tag["Key"] for tag in tags]
    for key in keys:
        if key.lower().startswith("aws:"):
            raise invalid(f"aws: prefixed tag key names are not allowed for external use: {key}")
    if len(set(keys)) < len(keys):
        raise invalid("Duplicate tag keys found. Please note that Tag keys are case insensitive.")


def _check_waiting(request: Mapping[str, Any]) -> None:
    condition = request.get("StoppingCondition", {})
    runtime, wait = condition.get("MaxRuntimeInSeconds", 86400), condition.get("MaxWaitTimeInSeconds")
    if runtime > _LONGEST_SECONDS:
        raise invalid(f"Invalid MaxRuntimeInSeconds. It must be less than or equal to {_LONGEST_SECONDS}")
    if not request.get("EnableManagedSpotTraining"):
        if wait is not None:
            raise invalid(
                "Invalid MaxWaitTimeInSeconds. It is only supported when EnableManagedSpotTraining is set to true"
            )
    elif wait is None or wait < runtime:
        raise invalid(
            "Invalid MaxWaitTimeInSeconds. It must be present and be greater than or equal to MaxRuntimeInSeconds"
        )


def _check_debugger(request: Mapping[str, Any]) -> None:
    rules = [*request.get("DebugRuleConfigurations", []), *request.get("ProfilerRuleConfigurations", [])]
    if len({rule["RuleConfigurationName"] for rule in rules}) < len(rules):
        raise invalid("RuleConfigurationName must be unique relative to other rule configuration names.")
    interval = request.get("ProfilerConfig", {}).get("ProfilingIntervalInMilliseconds", 500)
    if interval not in _PROFILING_INTERVALS:
        raise invalid(f"Invalid ProfilingIntervalInMilliseconds {interval}: use one of {sorted(_PROFILING_INTERVALS)}.")
