"""Which instances a training job holds, and on which line of the budget, by SageMaker's own truth."""

from collections import Counter
from typing import Any

from local_sagemaker.state_machine.demand import demand, preferences
from local_sagemaker.state_machine.job import TrainingJob


def held_by(job: TrainingJob) -> Counter[str]:
    """Of preferences all, until one is selected: it may be any of them."""
    unselected = preferences(job.resolved_request)
    return Counter({one["InstanceType"]: one["InstanceCount"] for one in unselected}) or lines(job.resolved_request)


def lines(request: dict[str, Any]) -> Counter[str]:
    """A training plan has lines of its own."""
    plan = request["ResourceConfig"].get("TrainingPlanArn", "")
    return Counter({line(kind, plan): count for kind, count in demand(request).items()})


def line(kind: str, plan: str) -> str:
    return f"{kind}@{plan.split('/')[-1]}" if plan else kind
