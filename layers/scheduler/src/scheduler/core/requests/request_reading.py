"""Reads from a CreateTrainingJob request what the queue needs, and refuses requests that the queue cannot run.

InstancePreferences: SageMaker selects the first of up to five types that it has instances of, and reports it. Until
then the queue reserves all of them (aws-facts 2.56).
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, budget_line_of, is_plan_line, total
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.errors.refusals import BadRequest, BeyondBudget, Unsupported, bad_field

#: SageMaker's default if StoppingCondition does not set it (aws-facts 2.40).
DEFAULT_MAX_RUNTIME = 86_400
PREFERENCES = "ResourceConfig.InstancePreferences"
#: Members that SageMaker refuses together with preferences; a plan has its own capacity, whichever type is selected.
_NOT_WITH_PREFERENCES = ("InstanceType", "InstanceGroups", "InstancePlacementConfig", "TrainingPlanArn")
# Optional in SageMaker since serverless jobs exist, but required by a queue for instances (aws-facts 2.31).
_REQUIRED = ("AlgorithmSpecification", "ResourceConfig", "StoppingCondition")


def refuse_unsupported(request: Mapping[str, Any]) -> None:
    """Raises BadRequest."""
    if request.get("ServerlessJobConfig"):
        remedy = "A serverless job needs no instances of the budget: send it to SageMaker directly."
        raise Unsupported(
            "The queue does not run jobs with ServerlessJobConfig", field="ServerlessJobConfig", remedy=remedy
        )
    for field in _REQUIRED:
        if field not in request:
            raise bad_field(field, "is missing", f"A job on instances needs {field}.")
    if is_spot(request) and request["ResourceConfig"].get("TrainingPlanArn"):
        remedy = "Remove one of them: a training plan reserves no spot capacity."
        raise bad_field("EnableManagedSpotTraining", "is combined with a training plan", remedy)


def refuse_over_budget(demand: Demand, budget: Budget, *, prefers: bool = False) -> None:
    """Raises BeyondBudget for a demand above the whole budget at all times. `prefers`: of InstancePreferences."""
    for line, count in demand.counts:
        if is_plan_line(line) and count > budget.limit[line]:
            raise BeyondBudget(
                f"The calendar never has more than {budget.limit[line]} × {line} from now on",
                field="ResourceConfig.TrainingPlanArn",
                remedy="Ask an operator for a calendar window with this plan, or remove TrainingPlanArn.",
            )
        if line not in budget.types:
            raise BeyondBudget(
                f"{line} is not in the queue's budget",
                field=PREFERENCES if prefers else "ResourceConfig.InstanceType",
                remedy=f"Use one of {', '.join(budget.types)}, or ask an operator to add it to InstanceBudget.",
            )
        if count > budget.limit[line]:
            raise BeyondBudget(
                f"{count} × {line} is more than the whole budget of {budget.limit[line]}",
                field=PREFERENCES if prefers else "ResourceConfig.InstanceCount",
                remedy=f"Request at most {budget.limit[line]}, or ask an operator for a larger InstanceBudget.",
            )


def demand_of(request: Mapping[str, Any]) -> Demand:
    """Returns instances by budget line: of all groups, or all preferences until one is selected. Raises BadRequest."""
    if has_preferences(request):
        return _worst_case_demand(request)
    resources = request["ResourceConfig"]
    plan, groups = resources.get("TrainingPlanArn"), resources.get("InstanceGroups")
    if not groups:
        return _demand_of_group(resources, plan, "ResourceConfig")
    if "InstanceType" in resources or "InstanceCount" in resources:
        problem = "ResourceConfig has InstanceGroups and also InstanceType or InstanceCount"
        raise BadRequest(problem, field="ResourceConfig.InstanceGroups", remedy="Set one or the other.")
    return total(
        _demand_of_group(group, plan, f"ResourceConfig.InstanceGroups[{index}]") for index, group in enumerate(groups)
    )


def _demand_of_group(resources: Mapping[str, Any], plan: str | None, path: str) -> Demand:
    for field in ("InstanceType", "InstanceCount"):
        if not resources.get(field):  # SageMaker's API model allows a count of 0
            remedy = "Set InstanceType and an InstanceCount of at least 1, or InstanceGroups."
            raise bad_field(f"{path}.{field}", "is missing or 0", remedy)
    return Demand.of({budget_line_of(resources["InstanceType"], plan): resources["InstanceCount"]})


def has_preferences(request: Mapping[str, Any]) -> bool:
    return bool(request["ResourceConfig"].get("InstancePreferences"))


def _worst_case_demand(request: Mapping[str, Any]) -> Demand:
    """Returns the instances of all preferred types together. Raises BadRequest."""
    resources = request["ResourceConfig"]
    given = {f"ResourceConfig.{name}": resources.get(name) for name in _NOT_WITH_PREFERENCES}
    for field, value in (given | {"EnableManagedSpotTraining": is_spot(request)}).items():
        if value:
            raise bad_field(PREFERENCES, f"cannot be combined with {field}", "Use one or the other.")
    preferences, shared = resources["InstancePreferences"], resources.get("InstanceCount")
    for index, preference in enumerate(preferences):
        if preference.get("TrainingPlanArns"):
            field = f"{PREFERENCES}[{index}].TrainingPlanArns"
            raise Unsupported(f"The queue does not run jobs with {field}", field=field, remedy="Leave the plan out.")
    counts: dict[str, int] = {}
    for index, preference in enumerate(preferences):
        if preference["InstanceType"] in counts:
            problem = f"repeats {preference['InstanceType']}"
            raise bad_field(f"{PREFERENCES}[{index}].InstanceType", problem, "Name each type once.")
        counts[preference["InstanceType"]] = _count_of(preference, shared, f"{PREFERENCES}[{index}].InstanceCount")
    return Demand.of(counts)


def _count_of(preference: Mapping[str, Any], shared: int | None, field: str) -> int:
    own = preference.get("InstanceCount")
    if own is not None and shared is not None:
        problem = "is set, and so is ResourceConfig.InstanceCount, which applies to all preferences"
        raise bad_field(field, problem, "Set one or the other.")
    count: int = own or shared or 0
    if not count:
        remedy = "Set a count of at least 1 in each preference, or one for all in ResourceConfig.InstanceCount."
        raise bad_field(field, "is missing or 0", remedy)
    return count


def max_runtime_of(request: Mapping[str, Any]) -> int:
    """Returns the longest run time in seconds. Raises BadRequest."""
    seconds: int = request["StoppingCondition"].get("MaxRuntimeInSeconds", DEFAULT_MAX_RUNTIME)
    if seconds > MAX_MAX_RUNTIME:
        problem = f"is {seconds}; SageMaker allows 28 days"
        raise bad_field("StoppingCondition.MaxRuntimeInSeconds", problem, f"Use at most {MAX_MAX_RUNTIME}.")
    return seconds


def is_spot(request: Mapping[str, Any]) -> bool:
    """Returns whether the request asks for managed spot instances."""
    return bool(request.get("EnableManagedSpotTraining"))


def digest_of(request: Mapping[str, Any]) -> str:
    """Returns a digest that is the same for two bodies exactly if their content is the same."""
    return sha256(json.dumps(request, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
