"""InstancePreferences of a request: SageMaker starts the job on the first of up to five types that it has instances of.

Which one that is, it tells once it has selected it. Until then all of them are reserved (aws-facts 2.56).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler.core.jobs.demand import Demand
from scheduler.errors.refusals import BadRequest, Unsupported

FIELD = "ResourceConfig.InstancePreferences"
#: SageMaker refuses these beside it; a plan has capacity of its own, whichever type is selected.
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
    """What each of the types would take, all together. Raises BadRequest."""
    _refuse_contradictions(request)
    resources = request["ResourceConfig"]
    preferences, shared = resources["InstancePreferences"], resources.get("InstanceCount")
    counts: dict[str, int] = {}
    for index, preference in enumerate(preferences):
        if preference["InstanceType"] in counts:
            problem = f"names {preference['InstanceType']} a second time"
            raise _refused(f"{FIELD}[{index}].InstanceType", problem, "Name each type once.")
        counts[preference["InstanceType"]] = _count_of(preference, shared, f"{FIELD}[{index}].InstanceCount")
    return Demand.of(counts)


def refuse_beside_alternatives(requests: Sequence[Mapping[str, Any]]) -> None:
    """Both say which instances will do. Raises BadRequest."""
    if any(map(has_preferences, requests)):
        remedy = "Give the types as alternatives, which the queue chooses among, or as preferences for SageMaker."
        raise _refused(FIELD, "is given, and alternatives beside the request", remedy)


def _refuse_contradictions(request: Mapping[str, Any]) -> None:
    flat = {"EnableManagedSpotTraining": request.get("EnableManagedSpotTraining")}
    flat |= {f"ResourceConfig.{name}": value for name, value in request["ResourceConfig"].items()}
    for field in _EXCLUDED:
        if flat.get(field):
            raise _refused(FIELD, f"and {field} exclude each other", "Give one or the other.")
    for index, preference in enumerate(request["ResourceConfig"]["InstancePreferences"]):
        if preference.get("TrainingPlanArns"):
            field = f"{FIELD}[{index}].TrainingPlanArns"
            raise Unsupported(f"The queue does not run jobs with {field}", field=field, remedy="Leave the plan out.")


def _count_of(preference: Mapping[str, Any], shared: int | None, field: str) -> int:
    own = preference.get("InstanceCount")
    if own is not None and shared is not None:
        problem = "is given beside ResourceConfig.InstanceCount, which is for all of them"
        raise _refused(field, problem, "Give one or the other.")
    count: int = own or shared or 0
    if not count:
        remedy = "Give each preference a count of at least 1, or all of them one in ResourceConfig.InstanceCount."
        raise _refused(field, "is missing or 0", remedy)
    return count


def _refused(field: str, problem: str, remedy: str) -> BadRequest:
    return BadRequest(f"{field} {problem}", field=field, remedy=remedy)
