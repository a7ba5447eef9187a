"""Compares the request that SageMaker got with the submitted request, except for parts that the queue may change."""

from collections.abc import Iterable, Mapping
from typing import Any

from local_sagemaker.state_machine.capacity import preferences
from scheduler.core.requests.stop_notice.variables import NAMES
from support.simulation.submissions.training_requests import alternatives_of, is_elastic

_OURS = frozenset({"TrainingJobName", "Tags"})


def is_as_submitted(
    sent: Mapping[str, Any],
    submitted: dict[str, Any],
    environment: Mapping[str, str],
    *,
    on_demand: bool,
    limits: Iterable[int | None],
) -> bool:
    """Returns whether the request, with or without one of its alternatives, equals the sent request.

    `environment` is the submitted environment with the models of completed jobs. A job that has left spot is sent on
    demand. `limits` are the time limits that updates may have set; None is the submitted limit.
    """
    whole = [choice if limit is None else _limited(choice, limit) for choice in _choices(submitted) for limit in limits]
    choices = [{**(_on_demand(choice) if on_demand else choice), "Environment": environment} for choice in whole]
    return any(_without_names(sent) == _without_names(form) for choice in choices for form in _forms(choice))


def _limited(submitted: dict[str, Any], limit: int) -> dict[str, Any]:
    """Returns the request with another time limit, and with an unchanged wait for spot instances."""
    before = submitted["StoppingCondition"]
    wait = {name: limit + most - before["MaxRuntimeInSeconds"] for name, most in before.items() if "Wait" in name}
    return {**submitted, "StoppingCondition": {"MaxRuntimeInSeconds": limit, **wait}}


def _on_demand(choice: dict[str, Any]) -> dict[str, Any]:
    stops = {name: value for name, value in choice["StoppingCondition"].items() if name != "MaxWaitTimeInSeconds"}
    return {**choice, "EnableManagedSpotTraining": False, "StoppingCondition": stops}


def _choices(submitted: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the request for each choice.

    Alternatives change members of two objects, and do not use training plans.
    """
    changes = [alternative["request"] for alternative in alternatives_of(submitted)]
    resources = {name: value for name, value in submitted["ResourceConfig"].items() if name != "TrainingPlanArn"}
    on_demand = {**submitted, "ResourceConfig": resources}
    widths = range(1, submitted["ResourceConfig"]["InstanceCount"]) if is_elastic(submitted) else ()
    return [
        submitted,
        *({**submitted, "ResourceConfig": submitted["ResourceConfig"] | {"InstanceCount": width}} for width in widths),
        *({**on_demand, **{name: on_demand.get(name, {}) | new for name, new in change.items()}} for change in changes),
    ]


def _forms(submitted: dict[str, Any]) -> list[Mapping[str, Any]]:
    """Returns the possible forms of a request: several instances share one subnet, a single instance may use any."""
    network = submitted.get("VpcConfig")
    wanted = preferences(submitted) or [submitted["ResourceConfig"]]
    if network is None or max(preference["InstanceCount"] for preference in wanted) == 1:
        return [submitted]
    return [{**submitted, "VpcConfig": {**network, "Subnets": [subnet]}} for subnet in network["Subnets"]]


def _without_names(request: Mapping[str, Any]) -> dict[str, Any]:
    """Removes names, tags, the queue's variables, and the keep-alive period, which another judge checks."""
    kept = {key: value for key, value in request["ResourceConfig"].items() if key != "KeepAlivePeriodInSeconds"}
    variables = {name: value for name, value in request.get("Environment", {}).items() if name not in NAMES}
    others = {key: value for key, value in request.items() if key not in _OURS}
    return others | {"ResourceConfig": kept, "Environment": variables}
