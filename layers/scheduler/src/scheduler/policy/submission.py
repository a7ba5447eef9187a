"""What the queue accepts: the rules for a CreateTrainingJob request beyond SageMaker's own, and the job it becomes."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from scheduler.domain.budget import Budget
from scheduler.domain.demand import Demand
from scheduler.domain.job import Job, JobState
from scheduler.domain.options import JobOptions
from scheduler.domain.reason import Reason, ReasonCode
from scheduler.policy.option_reading import read_options
from scheduler.policy.request_reading import demand_of, digest_of, max_runtime_of
from scheduler.refusals import BadRequest, BeyondBudget, Unsupported

# Optional in SageMaker since serverless jobs exist; a queue for instances cannot do without them (aws-facts 2.31).
_REQUIRED = ("AlgorithmSpecification", "ResourceConfig", "StoppingCondition")


def accept(
    request: Mapping[str, Any],
    options: JobOptions,
    *,
    owner: str,
    budget: Budget,
    now: datetime,
    client_token: str | None = None,
) -> Job:
    """The job that a valid CreateTrainingJob request becomes. Raises BadRequest."""
    _refuse_unsupported(request)
    demand = demand_of(request)
    _refuse_over_budget(demand, budget)
    return Job(
        name=request["TrainingJobName"],
        state=JobState.HELD if options.hold else JobState.PENDING,
        priority=options.priority,
        demand=demand,
        submitted_at=now,
        updated_at=now,
        owner=owner,
        digest=_digest(request, options),
        reason=_why_it_waits(options),
        max_runtime=max_runtime_of(request),
        checkpoint_uri=request.get("CheckpointConfig", {}).get("S3Uri"),
        never_preempt=options.never_preempt,
        idle_exempt=options.idle_exempt,
        checkpoint_interval=options.checkpoint_interval,
        client_token=client_token,
    )


def _digest(request: Mapping[str, Any], options: JobOptions) -> str:
    """Tells two submissions apart that differ only in what was given beside the request.

    Options that have their defaults do not count, so that an option of tomorrow makes no other job of today's.
    """
    if options == read_options(request, {}):
        return digest_of(request)
    usual = asdict(JobOptions())
    chosen = {name: value for name, value in asdict(options).items() if value != usual[name]}
    return digest_of({"request": request, "options": chosen})


def _why_it_waits(options: JobOptions) -> Reason:
    if options.hold:
        return Reason(ReasonCode.HELD, "held since it was submitted, until somebody releases it")
    return Reason(ReasonCode.SUBMITTED, "")


def _refuse_unsupported(request: Mapping[str, Any]) -> None:
    for field, remedy in _UNSUPPORTED.items():
        if _lookup(request, field):
            raise Unsupported(f"The queue does not run jobs with {field}", field=field, remedy=remedy)
    for field in _REQUIRED:
        if field not in request:
            raise BadRequest(f"{field} is missing", field=field, remedy=f"A job on instances needs {field}.")


_UNSUPPORTED = {
    "ServerlessJobConfig": "A serverless job holds no instances of the budget: send it to SageMaker directly.",
    "ResourceConfig.InstancePreferences": "Name one type in ResourceConfig.InstanceType, with InstanceCount.",
    "ResourceConfig.TrainingPlanArn": "A training plan has capacity of its own: send the job to SageMaker directly.",
}


def _refuse_over_budget(demand: Demand, budget: Budget) -> None:
    for instance_type, count in demand.counts:
        if instance_type not in budget.types:
            raise BeyondBudget(
                f"{instance_type} is not in the queue's budget",
                field="ResourceConfig.InstanceType",
                remedy=f"Use one of {', '.join(budget.types)}, or ask for a change of the parameter InstanceBudget.",
            )
        if count > budget.limit[instance_type]:
            raise BeyondBudget(
                f"{count} × {instance_type} is more than the whole budget of {budget.limit[instance_type]}",
                field="ResourceConfig.InstanceCount",
                remedy=f"Ask for at most {budget.limit[instance_type]}, or for a larger parameter InstanceBudget.",
            )


def _lookup(request: Mapping[str, Any], path: str) -> object:
    value: Any = request
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
