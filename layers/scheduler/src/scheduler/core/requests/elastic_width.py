"""Reads the options `instances` and `min_parallel`, and turns the widths of a job into alternatives to its request.

The request itself is the first choice, with the most instances. Each further choice has fewer instances: a training job
may then have other hyperparameters, and a tuning job has fewer parallel trials.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scheduler.core.jobs.demand import InstanceRange
from scheduler.core.requests.alternatives import MOST_ALTERNATIVES, Alternative
from scheduler.errors.refusals import bad_field, shortened, shown

_MOST_WIDTHS = 1 + MOST_ALTERNATIVES
_FIELD = "options.instances"
_TUNING = "HyperParameterTuningJobConfig"
_TEXT = re.compile(r"([0-9]{1,4})-([0-9]{1,4})(?:/([0-9]{1,4}))?")
_MEMBERS = {"min", "max", "step", "hyperparameters"}
_MOST_INSTANCES = 9999
REMEDY = "Use MIN-MAX or MIN-MAX/STEP, such as 2-8/2 for 8, 6, 4 or 2 instances."

#: Hyperparameters by number of instances.
HyperParameters = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class ElasticWidth:
    """Holds the option `instances`, given next to the request or in a tag."""

    range: InstanceRange
    hyperparameters: HyperParameters
    field: str = _FIELD  # where it was given

    def alternatives(self, request: Mapping[str, Any]) -> tuple[Alternative, ...]:
        """Returns an alternative for each width below the largest. Raises BadRequest if it does not fit the request."""
        self._refuse_wrong_steps()
        count = request.get("ResourceConfig", {}).get("InstanceCount")
        if count != self.range.max:
            problem = f"is {count}" if count is not None else "is missing"
            remedy = f"Set it to {self.range.max}, or set max of the option instances to this number."
            raise bad_field("ResourceConfig.InstanceCount", f"{problem}, but instances is {self.range}", remedy)
        self._refuse_unknown_widths()
        return tuple(Alternative(self._changes(width)) for width in self.range.widths[1:])

    def _changes(self, width: int) -> dict[str, Any]:
        changes: dict[str, Any] = {"ResourceConfig": {"InstanceCount": width}}
        if known := self.hyperparameters.get(str(width)):
            changes["HyperParameters"] = dict(known)
        return changes

    def _refuse_wrong_steps(self) -> None:
        low, high, step = self.range.min, self.range.max, self.range.step
        if not 1 <= low < high:
            raise bad_field(self._of("min"), f"is {low}, with a max of {high}", "Use 1 or more, and less than max.")
        if not step >= 1 or (high - low) % step:
            remedy = f"Use a step that divides max minus min ({high - low}) evenly."
            raise bad_field(self._of("step"), f"is {step}, from {low} to {high} instances", remedy)
        if len(self.range.widths) > _MOST_WIDTHS:
            problem = f"is {step}, which gives {len(self.range.widths)} instance counts"
            limit = f"a job may have at most {_MOST_WIDTHS} instance counts"
            remedy = f"Use a larger step, such as {_step_for(high - low)}: {limit}."
            raise bad_field(self._of("step"), problem, remedy)

    def _refuse_unknown_widths(self) -> None:
        known = [str(width) for width in self.range.widths[1:]]
        for width in self.hyperparameters:
            if width not in known:
                remedy = f"Use {', '.join(known)}. The request itself sets those for {self.range.max} instances."
                raise bad_field(f"{_FIELD}.hyperparameters", f"has {shown(width)}", remedy)

    def _of(self, member: str) -> str:
        return f"{self.field}.{member}" if self.field == _FIELD else self.field


def with_fewer_trials(request: Mapping[str, Any], least: int) -> tuple[Alternative, ...]:
    """Returns alternatives with fewer parallel trials, down to `least`. Raises BadRequest if `least` is too large."""
    limits = request[_TUNING]["ResourceLimits"]
    most = limits["MaxParallelTrainingJobs"]
    if least > most:
        problem = f"is {least}, but MaxParallelTrainingJobs is {most}"
        raise bad_field("options.min_parallel", problem, f"Use a number from 1 to {most}.")
    steps = min(MOST_ALTERNATIVES, most - least)
    counts = (most - (most - least) * step // steps for step in range(1, steps + 1))
    changes = ({"ResourceLimits": {**limits, "MaxParallelTrainingJobs": count}} for count in counts)
    return tuple(Alternative({_TUNING: change}) for change in changes)


def range_in(text: str) -> object:
    """Returns the range in a tag's value, or the text itself if it has none."""
    match = _TEXT.fullmatch(text.strip())
    return InstanceRange(int(match[1]), int(match[2]), int(match[3] or 1)) if match else text


def read_instances(given: object) -> ElasticWidth:
    """Parses the option `instances` next to the request. Raises BadRequest."""
    if type(given) is not dict or given.keys() - _MEMBERS:
        members = f"an object with {', '.join(map(shortened, given))}" if isinstance(given, dict) else shown(given)
        remedy = "Give an object with min, max and, optionally, step and hyperparameters."
        raise bad_field(_FIELD, f"is {members}", remedy)
    low, high, step = (_read_number(name, given) for name in ("min", "max", "step"))
    return ElasticWidth(InstanceRange(low, high, step), _read_hyperparameters(given.get("hyperparameters", {})))


def hyperparameters_from(alternatives: Iterable[Alternative]) -> dict[str, dict[str, str]]:
    """Returns the hyperparameters by number of instances from the alternatives of an elastic job."""
    return {
        str(one.request["ResourceConfig"]["InstanceCount"]): dict(one.request["HyperParameters"])
        for one in alternatives
        if "HyperParameters" in one.request
    }


def _read_number(name: str, given: Mapping[str, object]) -> int:
    number = given.get(name, 1 if name == "step" else None)
    if type(number) is not int or not 1 <= number <= _MOST_INSTANCES:  # a bool is an int to isinstance
        problem = f"is {shown(number)}" if name in given else "is missing"
        raise bad_field(f"{_FIELD}.{name}", problem, f"Use a number from 1 to {_MOST_INSTANCES}.")
    return number


def _read_hyperparameters(given: object) -> HyperParameters:
    field = f"{_FIELD}.hyperparameters"
    if type(given) is not dict:
        remedy = 'Give an object for each number of instances, such as {"4": {"batch-size": "16"}}.'
        raise bad_field(field, f"is {shown(given)}", remedy)
    for width, changes in given.items():
        if type(changes) is not dict or not changes:
            problem = "is empty, so it changes nothing" if changes == {} else f"is {shown(changes)}, not an object"
            raise bad_field(f"{field}.{shortened(width)}", problem, "Give the hyperparameters that differ.")
    return given


def _step_for(span: int) -> int:
    """Returns the smallest step that divides the span into no more widths than a job may have."""
    return next(step for step in range(1, span + 1) if not span % step and span // step < _MOST_WIDTHS)
