"""From which line of the budget a training job takes its instances: a training plan has lines of its own."""

from collections import Counter
from typing import Any

from local_sagemaker.state_machine.demand import demand


def lines(request: dict[str, Any]) -> Counter[str]:
    plan = request["ResourceConfig"].get("TrainingPlanArn", "")
    return Counter({line(kind, plan): count for kind, count in demand(request).items()})


def line(kind: str, plan: str) -> str:
    return f"{kind}@{plan.split('/')[-1]}" if plan else kind
