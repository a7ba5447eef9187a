"""Refuses requests that the queue cannot run: unsupported features, and a demand above the whole budget.

SageMaker's own rules are checked before (adapters/aws/request_model.py), operators' rules after (admission).
"""

from collections.abc import Mapping
from typing import Any

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, is_plan_line
from scheduler.core.requests.instance_preferences import FIELD as PREFERENCES
from scheduler.core.requests.request_reading import is_spot
from scheduler.errors.refusals import BadRequest, BeyondBudget, Unsupported

_PLAN = "ResourceConfig.TrainingPlanArn"
# Optional in SageMaker since serverless jobs exist, but required by a queue for instances (aws-facts 2.31).
_REQUIRED = ("AlgorithmSpecification", "ResourceConfig", "StoppingCondition")
_UNSUPPORTED = {
    "ServerlessJobConfig": "A serverless job needs no instances of the budget: send it to SageMaker directly.",
}


def refuse_unsupported(request: Mapping[str, Any]) -> None:
    """Raises BadRequest for a request that SageMaker could run but the queue cannot."""
    for field, remedy in _UNSUPPORTED.items():
        if _lookup(request, field):
            raise Unsupported(f"The queue does not run jobs with {field}", field=field, remedy=remedy)
    for field in _REQUIRED:
        if field not in request:
            raise BadRequest(f"{field} is missing", field=field, remedy=f"A job on instances needs {field}.")
    if is_spot(request) and _lookup(request, _PLAN):
        remedy = "Remove one of them: a training plan reserves no spot capacity."
        raise BadRequest(
            "EnableManagedSpotTraining is combined with a training plan",
            field="EnableManagedSpotTraining",
            remedy=remedy,
        )


def refuse_over_budget(demand: Demand, budget: Budget, *, prefers: bool = False) -> None:
    """Raises BeyondBudget for a demand that exceeds the whole budget, now and at any later time of the calendar.

    `prefers`: the demand comes from InstancePreferences, which the refusal names.
    """
    for line, count in demand.counts:
        if is_plan_line(line) and count > budget.limit[line]:
            raise BeyondBudget(
                f"The calendar never has more than {budget.limit[line]} × {line} from now on",
                field=_PLAN,
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


def _lookup(request: Mapping[str, Any], path: str) -> object:
    value: Any = request
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
