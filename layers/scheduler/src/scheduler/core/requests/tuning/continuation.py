"""Builds the request for a tuning job's attempt, which continues the earlier attempts by warm start."""

from collections.abc import Mapping
from typing import Any

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.work.tuning import MOST_PARENTS, SHORTEST_RUNTIME, TuningProgress

#: SageMaker reads a RandomSeed as a 32-bit number.
_SEEDS = 2**31


def continued(request: Mapping[str, Any], job: Job) -> dict[str, Any]:
    """Returns the request with the remaining trials and time, and with the earlier attempts as parents.

    The first attempt is sent exactly as requested.
    """
    progress = job.status.tuning_progress
    if not progress.parents:
        return dict(request)
    config = request["HyperParameterTuningJobConfig"]
    changed = {"ResourceLimits": _remaining(config["ResourceLimits"], progress)}
    if "RandomSeed" in config:  # with the same seed, the attempt would draw the values of earlier trials again
        changed["RandomSeed"] = (config["RandomSeed"] + progress.trials) % _SEEDS
    return {
        **request,
        "HyperParameterTuningJobConfig": {**config, **changed},
        "WarmStartConfig": _parents(request, job),
    }


def _remaining(limits: Mapping[str, int], progress: TuningProgress) -> dict[str, int]:
    remaining = dict(limits)
    if "MaxNumberOfTrainingJobs" in limits:
        trials = max(1, limits["MaxNumberOfTrainingJobs"] - progress.trials)
        parallel = min(limits["MaxParallelTrainingJobs"], trials)
        remaining |= {"MaxNumberOfTrainingJobs": trials, "MaxParallelTrainingJobs": parallel}
    if "MaxRuntimeInSeconds" in limits:
        seconds = limits["MaxRuntimeInSeconds"] - progress.seconds
        remaining["MaxRuntimeInSeconds"] = max(SHORTEST_RUNTIME, seconds)
    return remaining


def _parents(request: Mapping[str, Any], job: Job) -> dict[str, Any]:
    """Returns the warm start with all parents, since it is not recursive.

    If there are too many, only the most recent are named. That happens only if an operator reduces the budget, or a
    user requeues the job, after all places for parents have been used.
    """
    given = request.get("WarmStartConfig", {}).get("ParentHyperParameterTuningJobs", ())
    earlier = [{"HyperParameterTuningJobName": name} for name in job.status.tuning_progress.parents]
    return {
        "ParentHyperParameterTuningJobs": [*given, *earlier][-MOST_PARENTS:],
        "WarmStartType": "IdenticalDataAndAlgorithm",
    }
