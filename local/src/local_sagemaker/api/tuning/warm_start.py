"""Checks the parents of a warm start. The guide "Run a Warm Start Hyperparameter Tuning Job" has the rules."""

from collections.abc import Mapping
from typing import Any

from local_sagemaker.errors import invalid
from local_sagemaker.state_machine.tuning.job import TuningJob, definitions, most_trials, parent_names
from local_sagemaker.state_machine.tuning.search_space import dimensions

# The parents' trials count against this limit, together with those of the new job.
_MOST_TRIALS = 500
_MOST_CHANGES = 10
_MAY_CHANGE = (
    "AlgorithmSpecification",
    "InputDataConfig",
    "OutputDataConfig",
    "StaticHyperParameters",
    "RoleArn",
    "ResourceConfig",
    "StoppingCondition",
    "VpcConfig",
    "EnableManagedSpotTraining",
    "CheckpointConfig",
)
# Separate rules compare these.
_COMPARED = frozenset({"TuningObjective", "HyperParameterRanges"})


def check_warm_start(request: dict[str, Any], known: Mapping[str, TuningJob]) -> None:
    if "WarmStartConfig" not in request:
        return
    if "TrainingJobDefinitions" in request:
        raise invalid("Warm start is available only when a single algorithm is tuned.")
    if request["HyperParameterTuningJobConfig"]["Strategy"] not in {"Bayesian", "Random"}:
        raise invalid("Warm start is available only if Strategy is Bayesian or Random.")
    names = parent_names(request)
    if len(set(names)) < len(names):
        raise invalid("The parent hyperparameter tuning jobs of a warm start must be unique.")
    parents = [_ended_parent(known, name) for name in names]
    for parent in parents:
        _check_parent(request, parent)
    total = most_trials(request) + sum(len(parent.trials) for parent in parents)
    if total > _MOST_TRIALS:
        raise invalid(
            f"The training jobs of the new tuning job and of its parents are {total} together. Warm start tuning jobs "
            f"can have at most {_MOST_TRIALS}."
        )


def _ended_parent(known: Mapping[str, TuningJob], name: str) -> TuningJob:
    parent = known.get(name)
    if parent is None:
        raise invalid(f"The parent hyperparameter tuning job {name} does not exist.")
    if not parent.is_terminal:
        raise invalid(
            f"The parent hyperparameter tuning job {name} is in status {parent.status}. Parents must be Completed, "
            "Stopped or Failed."
        )
    return parent


def _check_parent(request: dict[str, Any], parent: TuningJob) -> None:
    if "TrainingJobDefinitions" in parent.request:
        raise invalid(f"The parent hyperparameter tuning job {parent.name} tunes several algorithms.")
    (new,), (old,) = definitions(request), definitions(parent.request)
    if new["TuningObjective"] != old["TuningObjective"]:
        raise invalid(
            f"The objective metric must be the same as in the parent hyperparameter tuning job {parent.name}."
        )
    if _names(new) != _names(old):
        raise invalid(
            "The set of tunable plus static HyperParameter names is not the same across current and parent tuning "
            "jobs. Please ensure this set is constant when warm starting. Note that previously static HyperParameters "
            "can be tuned in warm start jobs and vice versa."
        )
    _check_kinds(new, old, parent.name)
    _check_static_changes(new, old)
    _check_members(new, old)


def _names(definition: dict[str, Any]) -> set[str]:
    return {*_kinds(definition), *definition.get("StaticHyperParameters", {})}


def _kinds(definition: dict[str, Any]) -> dict[str, str]:
    return {dimension.name: dimension.kind for dimension in dimensions(definition["HyperParameterRanges"])}


def _check_kinds(new: dict[str, Any], old: dict[str, Any], parent: str) -> None:
    before = _kinds(old)
    for name, kind in _kinds(new).items():
        if before.get(name, kind) != kind:
            raise invalid(
                f"The type of hyperparameter {name} must not change: it is {before[name]} in the parent "
                f"hyperparameter tuning job {parent}, but {kind} in the new one."
            )


def _check_static_changes(new: dict[str, Any], old: dict[str, Any]) -> None:
    """Counts hyperparameters that became static (each of their categories counts), and static values that changed."""
    static, before = new.get("StaticHyperParameters", {}), old.get("StaticHyperParameters", {})
    counts = {dimension.name: dimension.count for dimension in dimensions(old["HyperParameterRanges"])}
    kinds = _kinds(old)
    changes = sum(int(counts[name]) if kinds[name] == "Categorical" else 1 for name in static if name in counts)
    changes += sum(name in before and before[name] != value for name, value in static.items())
    if changes > _MOST_CHANGES:
        raise invalid(
            f"A warm start can change at most {_MOST_CHANGES} hyperparameters to static or to another static value, "
            f"not {changes}."
        )


def _check_members(new: dict[str, Any], old: dict[str, Any]) -> None:
    changed = {member for member in new.keys() | old.keys() if new.get(member) != old.get(member)}
    if changed - _COMPARED - set(_MAY_CHANGE):
        allowed = ", ".join(f"{member[0].lower()}{member[1:]}" for member in _MAY_CHANGE)
        raise invalid(f"Only the following fields in TrainingJobDefinition are allowed to change: [{allowed}].")
