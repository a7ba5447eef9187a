"""Refuses requests that SageMaker could run but the queue cannot.

SageMaker's own rules are checked before (adapters/aws/request_model.py), operators' rules after (admission).
"""

from collections.abc import Mapping
from typing import Any

from scheduler.core.requests.request_reading import is_spot
from scheduler.errors.refusals import BadRequest, Unsupported

_PLAN = "ResourceConfig.TrainingPlanArn"
# Optional in SageMaker since serverless jobs exist, but required by a queue for instances (aws-facts 2.31).
_REQUIRED = ("AlgorithmSpecification", "ResourceConfig", "StoppingCondition")
_UNSUPPORTED = {
    "ServerlessJobConfig": "A serverless job needs no instances of the budget: send it to SageMaker directly.",
}


def refuse_unsupported(request: Mapping[str, Any]) -> None:
    """Raises BadRequest."""
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


def _lookup(request: Mapping[str, Any], path: str) -> object:
    value: Any = request
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
