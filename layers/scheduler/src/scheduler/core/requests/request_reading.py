"""Reads the values that the queue needs from a CreateTrainingJob request, and refuses requests that it cannot run."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import PROCESSING, Demand, is_plan_line, is_processing_line, type_of
from scheduler.errors.refusals import BeyondBudget, Unsupported, bad_field, shown

#: SageMaker's default if StoppingCondition does not set it (aws-facts 2.40).
DEFAULT_MAX_RUNTIME = 86_400
PREFERENCES = "ResourceConfig.InstancePreferences"
#: The path to a processing job's instances.
CLUSTER = "ProcessingResources.ClusterConfig"
#: Maximum segments of a checkpoint prefix, since each plan looks up all parents of a waiting job's prefix.
_MOST_SEGMENTS = 50
# SageMaker made these optional for serverless jobs, but a queue for instances requires them (aws-facts 2.31).
_REQUIRED = ("AlgorithmSpecification", "ResourceConfig", "StoppingCondition")


def refuse_unsupported(request: Mapping[str, Any]) -> None:
    """Raises BadRequest for a request that SageMaker may accept, but that the queue cannot run."""
    if request.get("ServerlessJobConfig"):
        remedy = "A serverless job uses no instances from the budget: send it to SageMaker directly."
        raise Unsupported(
            "The queue does not run jobs with ServerlessJobConfig", field="ServerlessJobConfig", remedy=remedy
        )
    for field in _REQUIRED:
        if field not in request:
            raise bad_field(field, "is missing", f"Add {field}: a job on instances needs it.")
    if is_spot(request) and request["ResourceConfig"].get("TrainingPlanArn"):
        remedy = "Remove one of them: a training plan reserves no spot capacity."
        raise bad_field("EnableManagedSpotTraining", "is true, but ResourceConfig.TrainingPlanArn is set", remedy)
    _refuse_plan_for_processing(request["ResourceConfig"])
    _refuse_preferred_plans(request["ResourceConfig"])
    if prefix := checkpoint_uri_of(request):
        _refuse_checkpoint_prefix(prefix)


def _refuse_checkpoint_prefix(uri: str) -> None:
    """Refuses a prefix with too many segments, or an entire bucket, which would block all jobs that save in it."""
    field = "CheckpointConfig.S3Uri"
    segments = uri.rstrip("/").count("/") - 2  # s3://bucket has none
    if segments < 1:
        raise bad_field(field, f"is {shown(uri)}, a whole bucket", "Add a path for this job only, such as its name.")
    if segments > _MOST_SEGMENTS:
        raise bad_field(
            field, f"{shown(uri)} has {segments} segments", f"Use a path of at most {_MOST_SEGMENTS} segments."
        )


def _refuse_plan_for_processing(resources: Mapping[str, Any]) -> None:
    """Refuses a training plan whose budget line would be the line for processing jobs."""
    if str(resources.get("TrainingPlanArn")).rpartition("/")[2] == PROCESSING:
        raise Unsupported(
            f"The queue does not run jobs with a training plan named {PROCESSING}",
            field="ResourceConfig.TrainingPlanArn",
            remedy="Use a plan with another name.",
        )


def _refuse_preferred_plans(resources: Mapping[str, Any]) -> None:
    """Refuses preferences with a training plan: a plan has its own capacity, whichever type SageMaker selects."""
    plans = {
        f"{PREFERENCES}[{index}].TrainingPlanArns": preference.get("TrainingPlanArns")
        for index, preference in enumerate(resources.get("InstancePreferences", []))
    }
    if plans:
        plans["ResourceConfig.TrainingPlanArn"] = resources.get("TrainingPlanArn")
    for field, plan in plans.items():
        if plan:
            problem = f"The queue does not run jobs with both InstancePreferences and {field}"
            raise Unsupported(problem, field=field, remedy="Leave the plan out.")


def refuse_over_budget(demand: Demand, budget: Budget, *, prefers: bool = False) -> None:
    """Raises BeyondBudget for a demand that never fits the whole budget.

    `prefers` is true if the demand comes from InstancePreferences.
    """
    for line, count in demand.counts:
        place = CLUSTER if is_processing_line(line) else "ResourceConfig"
        if is_plan_line(line) and count > budget.limit[line]:
            raise BeyondBudget(
                f"The calendar never has more than {budget.limit[line]} × {line} from now on",
                field="ResourceConfig.TrainingPlanArn",
                remedy="Ask an operator for a calendar window with this plan, or remove TrainingPlanArn.",
            )
        if not budget.limit[line]:
            raise BeyondBudget(
                f"{line} is not in the queue's budget",
                field=PREFERENCES if prefers else f"{place}.InstanceType",
                remedy=_other_type(budget, for_processing=is_processing_line(line)),
            )
        if count > budget.limit[line]:
            raise BeyondBudget(
                f"{count} × {line} is more than the whole budget of {budget.limit[line]}",
                field=PREFERENCES if prefers else f"{place}.InstanceCount",
                remedy=f"Request at most {budget.limit[line]}, or ask an operator for a larger InstanceBudget.",
            )


def _other_type(budget: Budget, *, for_processing: bool) -> str:
    lines = (line for line in budget.types if budget.limit[line] and not is_plan_line(line))
    usable = [type_of(line) for line in lines if is_processing_line(line) is for_processing]
    use = f"Use one of {', '.join(usable)}, or ask" if usable else "Ask"
    return f"{use} an operator to add it to InstanceBudget."


def has_preferences(request: Mapping[str, Any]) -> bool:
    return bool(request["ResourceConfig"].get("InstancePreferences"))


def max_runtime_of(request: Mapping[str, Any]) -> int:
    """Returns the maximum run time in seconds."""
    seconds: int = request["StoppingCondition"].get("MaxRuntimeInSeconds", DEFAULT_MAX_RUNTIME)
    return seconds


def checkpoint_uri_of(request: Mapping[str, Any]) -> str | None:
    uri: str | None = request.get("CheckpointConfig", {}).get("S3Uri")
    return uri


def is_spot(request: Mapping[str, Any]) -> bool:
    """Returns whether the request asks for managed spot instances."""
    return bool(request.get("EnableManagedSpotTraining"))


def digest_of(request: Mapping[str, Any]) -> str:
    """Returns a digest that is the same for two request bodies if, and only if, their content is the same."""
    return sha256(json.dumps(request, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
