"""Whether what SageMaker got is what was submitted, but for what the queue may change."""

from collections.abc import Mapping
from typing import Any

from local_sagemaker.state_machine.demand import preferences
from support.simulation.submissions.training_requests import alternatives_of

_OURS = frozenset({"TrainingJobName", "Tags"})


def is_as_submitted(sent: Mapping[str, Any], submitted: dict[str, Any]) -> bool:
    """Also with one of its alternatives."""
    return any(
        _without_names(sent) == _without_names(form) for choice in _choices(submitted) for form in _forms(choice)
    )


def _choices(submitted: dict[str, Any]) -> list[dict[str, Any]]:
    """The alternatives of random requests change members of two objects, nothing else; they leave a training plan."""
    changes = [one["request"] for one in alternatives_of(submitted)]
    resources = {name: value for name, value in submitted["ResourceConfig"].items() if name != "TrainingPlanArn"}
    on_demand = {**submitted, "ResourceConfig": resources}
    return [
        submitted,
        *({**on_demand, **{name: on_demand.get(name, {}) | new for name, new in one.items()}} for one in changes),
    ]


def _forms(submitted: dict[str, Any]) -> list[Mapping[str, Any]]:
    """Several instances go into one of the subnets, a single one into any."""
    network = submitted.get("VpcConfig")
    wanted = preferences(submitted) or [submitted["ResourceConfig"]]
    if network is None or max(one["InstanceCount"] for one in wanted) == 1:
        return [submitted]
    return [{**submitted, "VpcConfig": {**network, "Subnets": [subnet]}} for subnet in network["Subnets"]]


def _without_names(request: Mapping[str, Any]) -> dict[str, Any]:
    """And without how long its instances are kept, which is checked by itself."""
    kept = {key: value for key, value in request["ResourceConfig"].items() if key != "KeepAlivePeriodInSeconds"}
    return {key: value for key, value in request.items() if key not in _OURS} | {"ResourceConfig": kept}
