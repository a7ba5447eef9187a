"""Decides when a tuning job has reached its end: its limits, its completion criteria, or repeated failures."""

from typing import Any

from local_sagemaker.state_machine.job import Status
from local_sagemaker.state_machine.tuning.job import TuningJob, TuningStatus
from local_sagemaker.state_machine.tuning.results import Result, best, not_improving

# A tuning job whose first trials all fail is not continued.
_MOST_FAILURES = 5
# AWS's criteria for convergence are not public. Here, a job has converged after this many trials without improvement.
CONVERGED_AFTER = 10


def reached_end(
    job: TuningJob, found: list[Result], now: float, *, limits_stop_tuning_jobs: bool
) -> TuningStatus | None:
    """Returns the status in which the job ends without further trials; None if it may launch more."""
    if now >= job.runtime_end:
        return TuningStatus.STOPPED if limits_stop_tuning_jobs else TuningStatus.COMPLETED
    if _meets_criteria(job, found, now):
        return TuningStatus.COMPLETED
    ended = [result for result in found if result.job.is_terminal]
    has_failed_often = len(ended) >= _MOST_FAILURES and not any(_is_success(result) for result in found)
    return TuningStatus.FAILED if has_failed_often else None


def final_status(found: list[Result]) -> TuningStatus:
    """Returns the final status of a job that has launched all its trials."""
    return TuningStatus.COMPLETED if best(found) is not None else TuningStatus.FAILED


def failure_reason(found: list[Result]) -> str:
    attempts = sum(result.job.status is not Status.STOPPED for result in found)
    if any(result.job.status is Status.COMPLETED for result in found):
        return (
            f"No objective metrics found after running {attempts} training jobs. Please ensure that the custom "
            "algorithm is emitting the objective metric as defined by the regular expression provided."
        )
    return (
        f"No training job succeeded after {attempts} attempts. Please take a look at the training job failures to "
        "get more details."
    )


def _is_success(result: Result) -> bool:
    """Returns whether the trial has a value, or may still get one."""
    return result.status == "Succeeded" or (result.status == "Pending" and result.value is not None)


def _meets_criteria(job: TuningJob, found: list[Result], now: float) -> bool:
    criteria: dict[str, Any] = job.config.get("TuningJobCompletionCriteria", {})
    return _reaches_target(criteria, found) or _stagnates(criteria, found) or _converges(job, criteria, found, now)


def _reaches_target(criteria: dict[str, Any], found: list[Result]) -> bool:
    target = criteria.get("TargetObjectiveMetricValue")
    champion = best(found)
    if target is None or champion is None or champion.value is None:
        return False
    return not champion.objective.is_better(float(target), champion.value)


def _stagnates(criteria: dict[str, Any], found: list[Result]) -> bool:
    most = criteria.get("BestObjectiveNotImproving", {}).get("MaxNumberOfTrainingJobsNotImproving")
    return most is not None and not_improving(found) >= most


def _converges(job: TuningJob, criteria: dict[str, Any], found: list[Result], now: float) -> bool:
    if job.converged_at is None and not_improving(found) >= CONVERGED_AFTER:
        job.converged_at = now
    wanted = criteria.get("ConvergenceDetected", {}).get("CompleteOnConvergence") == "Enabled"
    return wanted and job.converged_at is not None
