"""Finds request members that break the rules about instances and warm pools."""

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler.core.requests.request_reading import is_spot
from scheduler.core.requests.service_rules.rule import Breach, Request, missing, repeated, valued

_KINDS = ("InstanceType", "InstanceGroups", "InstancePreferences")
_SELECTED = ("SelectedInstanceType", "SelectedInstanceCount")
_PREFERENCES = "ResourceConfig.InstancePreferences"
_KEEP_ALIVE = "KeepAlivePeriodInSeconds"


def selected_instances(request: Request) -> Iterator[Breach]:
    for name in _SELECTED:
        if name in _resources(request):
            yield valued(f"ResourceConfig.{name}", _resources(request)[name])


def kinds_of_instances(request: Request) -> Iterator[Breach]:
    given = [name for name in _KINDS if _resources(request).get(name) not in (None, [])]
    if not given:
        yield missing("ResourceConfig.InstanceType")
    elif len(given) > 1:
        yield Breach(f"ResourceConfig.{given[-1]}", f"cannot be combined with {given[0]}")


def count_beside_groups(request: Request) -> Iterator[Breach]:
    if _groups(request) and "InstanceCount" in _resources(request):
        yield Breach(
            "ResourceConfig.InstanceCount", f"is {_resources(request)['InstanceCount']}, but InstanceGroups is given"
        )


def too_few_instances(request: Request) -> Iterator[Breach]:
    resources = _resources(request)
    if resources.get("InstanceType") and "InstanceCount" not in resources:
        yield missing("ResourceConfig.InstanceCount")
    placement = resources.get("InstancePlacementConfig", {})
    for path, counted in (
        ("ResourceConfig", [resources]),
        ("ResourceConfig.InstanceGroups", _groups(request)),
        (_PREFERENCES, _preferences(request)),
        (
            "ResourceConfig.InstancePlacementConfig.PlacementSpecifications",
            placement.get("PlacementSpecifications", []),
        ),
    ):
        for index, entry in enumerate(counted):
            if entry.get("InstanceCount", 1) < 1:
                place = path if path == "ResourceConfig" else f"{path}[{index}]"
                yield valued(f"{place}.InstanceCount", entry["InstanceCount"])


def repeated_preferences(request: Request) -> Iterator[Breach]:
    types = [preference["InstanceType"] for preference in _preferences(request)]
    for index, instance_type in enumerate(types):
        if instance_type in types[:index]:
            yield repeated(f"{_PREFERENCES}[{index}].InstanceType", instance_type)


def counts_of_preferences(request: Request) -> Iterator[Breach]:
    is_shared = "InstanceCount" in _resources(request)
    for index, preference in enumerate(_preferences(request)):
        field = f"{_PREFERENCES}[{index}].InstanceCount"
        if is_shared and "InstanceCount" in preference:
            yield Breach(field, f"is {preference['InstanceCount']}, but ResourceConfig.InstanceCount is given")
        elif not is_shared and "InstanceCount" not in preference:
            yield missing(field)


def placed_preferences(request: Request) -> Iterator[Breach]:
    if _preferences(request) and "InstancePlacementConfig" in _resources(request):
        yield Breach(_PREFERENCES, "cannot be combined with ResourceConfig.InstancePlacementConfig")


def preferences_on_spot(request: Request) -> Iterator[Breach]:
    if _preferences(request) and is_spot(request):
        yield Breach(_PREFERENCES, "cannot be combined with EnableManagedSpotTraining")


def pool_on_spot(request: Request) -> Iterator[Breach]:
    if (seconds := _resources(request).get(_KEEP_ALIVE)) and is_spot(request):
        yield valued(f"ResourceConfig.{_KEEP_ALIVE}", seconds)


def pool_of_groups(request: Request) -> Iterator[Breach]:
    if (seconds := _resources(request).get(_KEEP_ALIVE)) and _groups(request):
        yield valued(f"ResourceConfig.{_KEEP_ALIVE}", seconds)


def _resources(request: Request) -> Mapping[str, Any]:
    resources: Mapping[str, Any] = request.get("ResourceConfig", {})
    return resources


def _groups(request: Request) -> list[dict[str, Any]]:
    return _resources(request).get("InstanceGroups") or []


def _preferences(request: Request) -> list[dict[str, Any]]:
    return _resources(request).get("InstancePreferences") or []
