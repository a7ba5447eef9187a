"""InstancePreferences of a request: SageMaker starts the job on the first of up to five types that it has instances of.

SageMaker reports which type it selected. Until then the queue reserves all of them (aws-facts 2.56).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler.core.jobs.demand import Demand
from scheduler.errors.refusals import BadRequest, Unsupported

FIELD = "ResourceConfig.InstancePreferences"
#: Members that SageMaker refuses together with preferences; a plan has its own capacity, whichever type is selected.
_EXCLUDED = (
    "ResourceConfig.InstanceType",
    "ResourceConfig.InstanceGroups",
    "ResourceConfig.InstancePlacementConfig",
    "ResourceConfig.TrainingPlanArn",
    "EnableManagedSpotTraining",
)


def has_preferences(request: Mapping[str, Any]) -> bool:
    return bool(request["ResourceConfig"].get("InstancePreferences"))


def worst_case_demand(request: Mapping[str, Any]) -> Demand:
    """Returns the instances of all preferred types together. Raises BadRequest."""
    _refuse_contradictions(request)
    resources = request["ResourceConfig"]
    preferences, shared = resources["InstancePreferences"], resources.get("InstanceCount")
    counts: dict[str, int] = {}
    for index, preference in enumerate(preferences):
        if preference["InstanceType"] in counts:
            problem = f"repeats {preference['InstanceType']}"
            raise _refused(f"{FIELD}[{index}].InstanceType", problem, "Name each type once.")
        counts[preference["InstanceType"]] = _count_of(preference, shared, f"{FIELD}[{index}].InstanceCount")
    return Demand.of(counts)


def refuse_beside_alternatives(requests: Sequence[Mapping[str, Any]]) -> None:
    """Refuses preferences and alternatives in one job, since both choose the instances. Raises BadRequest."""
    if any(map(has_preferences, requests)):
        remedy = "Use alternatives, among which the queue chooses, or preferences, among which SageMaker does."
        raise _refused(FIELD, "cannot be combined with options.alternatives", remedy)


def _refuse_contradictions(request: Mapping[str, Any]) -> None:
    flat = {"EnableManagedSpotTraining": request.get("EnableManagedSpotTraining")}
    flat |= {f"ResourceConfig.{name}": value for name, value in request["ResourceConfig"].items()}
    for field in _EXCLUDED:
        if flat.get(field):
            raise _refused(FIELD, f"cannot be combined with {field}", "Use one or the other.")
    for index, preference in enumerate(request["ResourceConfig"]["InstancePreferences"]):
        if preference.get("TrainingPlanArns"):
            field = f"{FIELD}[{index}].TrainingPlanArns"
            raise Unsupported(f"The queue does not run jobs with {field}", field=field, remedy="Leave the plan out.")


def _count_of(preference: Mapping[str, Any], shared: int | None, field: str) -> int:
    own = preference.get("InstanceCount")
    if own is not None and shared is not None:
        problem = "is set, and so is ResourceConfig.InstanceCount, which applies to all preferences"
        raise _refused(field, problem, "Set one or the other.")
    count: int = own or shared or 0
    if not count:
        remedy = "Set a count of at least 1 in each preference, or one for all in ResourceConfig.InstanceCount."
        raise _refused(field, "is missing or 0", remedy)
    return count


def _refused(field: str, problem: str, remedy: str) -> BadRequest:
    return BadRequest(f"{field} {problem}", field=field, remedy=remedy)
