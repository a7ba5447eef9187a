"""Makes a pattern from the first child of an array, and the job and the requests of each child from the pattern."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from scheduler.core.jobs.dependencies.predecessor import Predecessor
from scheduler.core.jobs.dependencies.successors import after_check
from scheduler.core.jobs.job import Job, JobSpec
from scheduler.core.jobs.start_conditions import ArrayPlace
from scheduler.core.jobs.user_actions import with_approval
from scheduler.core.requests.arrays.job_array import JobArray, child_name
from scheduler.core.requests.arrays.parameters import Values, values_by_name
from scheduler.core.requests.arrays.placeholders import filled, filled_request
from scheduler.core.requests.job_building import first_status
from scheduler.core.requests.options import is_option
from scheduler.core.requests.request_reading import checkpoint_uri_of

Request = Mapping[str, Any]
NAME = "TrainingJobName"
#: The number of parameter sets in one record, so that a launch never reads more of them, however long the array is. The
#: largest array then takes ten records, with its client token.
SETS_PER_RECORD = 1500


@dataclass(frozen=True, slots=True)
class ChildRequests:
    """The requests of all children: one for each choice, with placeholders, and the names of the parameters."""

    requests: tuple[Request, ...]
    names: tuple[str, ...]

    def of(self, name: str, index: int, values: Values, choice: int) -> dict[str, Any]:
        """Returns the request for one of the child's choices, with these values."""
        request = filled_request(self.requests[choice], values_by_name(self.names, values, index))
        return {**request, NAME: name}


def as_pattern(job: Job, requests: Sequence[Request]) -> Job:
    """Returns the first child as a pattern: texts that differ among the children keep their placeholders."""
    specs = [_with_texts_of(request, option.spec) for option, request in zip(job.each_choice, requests, strict=True)]
    return replace(job, spec=specs[job.spec.choice], choices=tuple(specs) if job.choices else ())


def child_of(array: JobArray, index: int, values: Mapping[str, str], now: datetime) -> Job:
    """Returns a child's new job.

    The child's age counts from its creation, so it overtakes no jobs of the same priority.
    """
    first = array.first
    choices = tuple(_filled_spec(choice, values) for choice in first.choices)
    status = first_status(first.options.times, now, is_held=False)  # a held array creates no child
    child = replace(
        first,
        name=child_name(array.name, index),
        digest=f"{first.digest}-{index}",
        submitted_at=now,
        spec=choices[first.spec.choice] if choices else _filled_spec(first.spec, values),
        choices=choices,
        status=replace(status, warnings=first.status.warnings),
        client_token=None,
        place=ArrayPlace(array.name, index, array.at_most),
        body_digests=first.body_digests[:1] + first.body_digests[1 + record_of(index) : 2 + record_of(index)],
        version=0,
    )
    return with_approval(child, first.status.approval, now) if first.status.approval else child


def after_predecessors(child: Job, predecessors: Mapping[str, Predecessor], now: datetime) -> Job:
    """Returns the new child after a check of the jobs and arrays that it waits for."""
    named = child.options.dependencies.predecessors
    if not named:
        return child
    return after_check(replace(child, status=replace(child.status, awaits=named[0])), predecessors, now)


def record_of(index: int) -> int:
    """Returns the number of the record with the child's parameters."""
    return index // SETS_PER_RECORD


def _with_texts_of(request: Request, spec: JobSpec) -> JobSpec:
    tags = tuple((tag["Key"], tag["Value"]) for tag in request.get("Tags", ()) if not is_option(tag["Key"]))
    return replace(spec, tags=tags, checkpoint_uri=checkpoint_uri_of(request))


def _filled_spec(spec: JobSpec, values: Mapping[str, str]) -> JobSpec:
    tags = tuple((key, filled(value, values)) for key, value in spec.tags)
    uri = None if spec.checkpoint_uri is None else filled(spec.checkpoint_uri, values)
    return replace(spec, tags=tags, checkpoint_uri=uri)
