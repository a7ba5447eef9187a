"""Reads the values that the queue needs from a CreateHyperParameterTuningJob request.

`refusals.py` refuses requests that the queue cannot run, and `continuation.py` builds the attempts' requests.
"""

from collections.abc import Mapping
from math import ceil
from typing import Any

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.work.tuning import LONGEST_RUNTIME, TuningLimits
from scheduler.core.requests.instances import instances_of
from scheduler.core.requests.request_reading import max_runtime_of
from scheduler.core.requests.tuning.definitions import child_requests


def limits_of(request: Mapping[str, Any], *, continues: bool) -> TuningLimits:
    """Returns the limits in a request. `continues` means that a warm start continues the tuning job after a stop."""
    limits = request["HyperParameterTuningJobConfig"]["ResourceLimits"]
    return TuningLimits(
        parallel=limits["MaxParallelTrainingJobs"],
        most_trials=limits.get("MaxNumberOfTrainingJobs"),
        max_runtime=limits.get("MaxRuntimeInSeconds"),
        parents=len(request.get("WarmStartConfig", {}).get("ParentHyperParameterTuningJobs", ())),
        continues=continues,
    )


def demand_of(request: Mapping[str, Any], parallel: int) -> Demand:
    """Returns the most instances of each type that the trials hold at a time: any trial may use any type."""
    most: dict[str, int] = {}
    for child in child_requests(request):
        for line, count in instances_of(child.request.get("ResourceConfig", {})).counts:
            most[line] = max(most.get(line, 0), count)
    return Demand.of({line: parallel * count for line, count in most.items()})


def runtime_of(request: Mapping[str, Any], limits: TuningLimits) -> int:
    """Returns the most seconds that the tuning job can run: its own limit, or the time for all rounds of its trials."""
    if limits.max_runtime is not None:
        return limits.max_runtime
    longest = max(max_runtime_of(child.request) for child in child_requests(request))
    rounds = LONGEST_RUNTIME if limits.most_trials is None else ceil(limits.most_trials / limits.parallel)
    return min(LONGEST_RUNTIME, rounds * longest)


def running_choice(job: Job, description: Mapping[str, Any]) -> Job:
    """Returns a tuning job set to the choice of an attempt that SageMaker describes.

    An attempt with few remaining trials runs fewer trials at a time than its choice allows. So the narrowest choice
    that allows this number of trials counts.
    """
    parallel = description["HyperParameterTuningJobConfig"]["ResourceLimits"]["MaxParallelTrainingJobs"]
    wide_enough = (one for one in reversed(job.each_choice) if one.spec.tuning and one.spec.tuning.parallel >= parallel)
    return next(wide_enough, job)


def widened(request: Mapping[str, Any], parallel: int) -> dict[str, Any]:
    """Returns a trial's request, but with the instances of all parallel trials."""
    resources = dict(request.get("ResourceConfig", {}))
    if "InstanceCount" in resources:
        resources["InstanceCount"] *= parallel
    for member in ("InstanceGroups", "InstancePreferences"):
        if member in resources:
            resources[member] = [
                {**group, "InstanceCount": group["InstanceCount"] * parallel} if "InstanceCount" in group else group
                for group in resources[member]
            ]
    return {**request, "ResourceConfig": resources}
