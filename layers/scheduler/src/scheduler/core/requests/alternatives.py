"""Reads the alternatives that users add to a request, and expands each to a complete request.

The request itself is the first choice. An alternative contains only the members that differ from it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise, starmap
from typing import Any

from scheduler.core.jobs.job import JobOptions
from scheduler.core.requests.attempt_request import on_demand
from scheduler.errors.refusals import BadRequest, bad_field, shortened, shown

#: The limit is low because each alternative is stored as a whole request.
MOST_ALTERNATIVES = 4
#: The members that alternatives may change, because they depend on the instances. Other changes would make a different
#: job.
MEMBERS: Mapping[str, type] = {
    "ResourceConfig": dict,
    "HyperParameters": dict,
    "EnableManagedSpotTraining": bool,
    "StoppingCondition": dict,
}
_LONGEST_WAIT = 28 * 86_400
_FIELD = "options.alternatives"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Describes another way to run the job if the choices before it get no instances."""

    request: Mapping[str, Any]  # the members of the request that differ
    wait_for_better: int = 0  # seconds

    @property
    def sets_limit(self) -> bool:
        return "MaxRuntimeInSeconds" in self.request.get("StoppingCondition", {})


def read_alternatives(given: object) -> tuple[Alternative, ...]:
    """Parses the option `alternatives`. Raises BadRequest."""
    if type(given) is not list or not 1 <= len(given) <= MOST_ALTERNATIVES:
        problem = f"has {len(given)} alternatives" if isinstance(given, list) else f"is {shown(given)}, not a list"
        raise bad_field(_FIELD, problem, f"Give a list of 1 to {MOST_ALTERNATIVES} alternatives, or omit it.")
    alternatives = tuple(_read(alternative, f"{_FIELD}[{index}]") for index, alternative in enumerate(given))
    for index, (before, after) in enumerate(pairwise(alternatives), start=1):
        if after.wait_for_better < before.wait_for_better:
            problem = f"is {after.wait_for_better}, less than the {before.wait_for_better} of the alternative before it"
            raise bad_field(f"{_FIELD}[{index}].wait_for_better", problem, "Later alternatives wait at least as long.")
    return alternatives


def expand_alternatives(
    request: Mapping[str, Any], alternatives: Iterable[Alternative]
) -> tuple[Mapping[str, Any], ...]:
    """Returns the complete request of each choice. Raises BadRequest if a choice equals a better choice."""
    requests = [request]
    for number, alternative in enumerate(alternatives, start=1):
        whole = _with(request, alternative)
        if whole in requests:
            raise bad_field(f"{_FIELD}[{number - 1}].request", "equals a better choice", "Remove it.")
        requests.append(whole)
    return tuple(requests)


def alternatives_from(requests: Sequence[Mapping[str, Any]], waits: Iterable[int]) -> tuple[Alternative, ...]:
    """Returns the alternatives that expand to these requests. The first request is the user's own."""
    given, *others = requests
    return tuple(starmap(Alternative, zip((_difference(given, request) for request in others), waits, strict=True)))


@contextmanager
def point_refusals_at_choice(number: int, options: JobOptions) -> Iterator[None]:
    """Adds the path of this choice to refusals raised in the context. Choice 0 is the request itself."""
    try:
        yield
    except BadRequest as refusal:
        if number:
            refusal.prefix_field(_path_of(number, options))
        raise


def _path_of(number: int, options: JobOptions) -> str:
    """Returns the path of the option from which this choice was made."""
    if options.instances:
        return f"options.instances.{options.instances.widths[number]}."
    return "options.min_parallel." if options.min_parallel else f"{_FIELD}[{number - 1}].request."


def _read(given: object, path: str) -> Alternative:
    if type(given) is not dict or given.keys() - {"request", "wait_for_better"}:
        members = f"an object with {', '.join(map(shortened, given))}" if isinstance(given, dict) else shown(given)
        raise bad_field(path, f"is {members}", "Give an object with request and, optionally, wait_for_better.")
    request, wait = given.get("request"), given.get("wait_for_better", 0)
    if type(request) is not dict or not request:
        problem = "is empty, so it changes nothing" if request == {} else f"is {shown(request)}, not an object"
        raise bad_field(f"{path}.request", problem, f"Give the members that differ: {', '.join(MEMBERS)}.")
    for name, value in request.items():
        if type(value) is not MEMBERS.get(name):
            remedy = f"Alternatives may change {', '.join(MEMBERS)}, each in SageMaker's form."
            raise bad_field(f"{path}.request.{shortened(name)}", f"cannot be {shown(value)}", remedy)
    if type(wait) is not int or not 0 <= wait <= _LONGEST_WAIT:  # a bool is an int to isinstance
        raise bad_field(f"{path}.wait_for_better", f"is {shown(wait)}", f"Use seconds, from 0 to {_LONGEST_WAIT}.")
    return Alternative(request, wait)


def _with(request: Mapping[str, Any], alternative: Alternative) -> dict[str, Any]:
    """Merges an alternative into the request, including the members of its objects.

    An instance type replaces instance groups and a training plan. Instance groups replace a type and a training plan.
    """
    changed = {**request, **{name: _merged(name, request.get(name), new) for name, new in alternative.request.items()}}
    return on_demand(changed) if alternative.request.get("EnableManagedSpotTraining") is False else changed


def _difference(given: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the members that differ. Hyperparameters can be large, so it returns only those that differ."""
    changed = {name: request[name] for name in MEMBERS if name in request and request[name] != given.get(name)}
    if new := changed.get("HyperParameters"):
        known = given.get("HyperParameters", {})
        changed["HyperParameters"] = {key: value for key, value in new.items() if value != known.get(key)}
    return changed


def _merged(name: str, known: object, new: object) -> object:
    if not (isinstance(known, Mapping) and isinstance(new, Mapping)):
        return new
    return {key: value for key, value in known.items() if name != "ResourceConfig" or not _replaced(key, new)} | {**new}


def _replaced(key: str, new: Mapping[str, object]) -> bool:
    if key == "InstanceGroups":
        return "InstanceType" in new or "InstanceCount" in new
    if key == "TrainingPlanArn":
        return "InstanceType" in new or "InstanceGroups" in new
    return key in ("InstanceType", "InstanceCount") and "InstanceGroups" in new
