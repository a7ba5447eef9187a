"""Counts the instances that a training job holds in SageMaker, by budget line."""

from collections import Counter
from typing import Any

from local_sagemaker.state_machine.capacity import demand, preferences
from local_sagemaker.state_machine.job import TrainingJob


def instances_held_by(job: TrainingJob) -> Counter[str]:
    """Returns the held instances. Until SageMaker selects one of several preferences, all of them count."""
    unselected = preferences(job.resolved_request)
    return Counter({preference["InstanceType"]: preference["InstanceCount"] for preference in unselected}) or lines(
        job.resolved_request
    )


def lines(request: dict[str, Any]) -> Counter[str]:
    """Returns the requested instances by budget line. A training plan has its own lines."""
    plan = request["ResourceConfig"].get("TrainingPlanArn", "")
    return Counter({line(kind, plan): count for kind, count in demand(request).items()})


def line(kind: str, plan: str) -> str:
    return f"{kind}@{plan.split('/')[-1]}" if plan else kind
