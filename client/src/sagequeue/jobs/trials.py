"""Reads the trials of a tuning job from SageMaker, with the caller's own credentials.

The queue only counts trials. SageMaker knows their hyperparameters and objectives.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, cast

from sagequeue.contract.jobs import Job
from sagequeue.jobs.description import attempts_in_sagemaker, live_attempt

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_sagemaker import SageMakerClient

_CONFIG, _OBJECTIVE = "HyperParameterTuningJobConfig", "HyperParameterTuningJobObjective"
_ENDED = frozenset({"Completed", "Failed", "Stopped"})


class Trial(TypedDict):
    name: str
    attempt: str
    status: str
    ended_at: str | None
    objective: float | None  # the final value, if SageMaker counts the trial
    chosen: dict[str, str]  # the hyperparameters that SageMaker chose


class Trials(TypedDict):
    """The trials of all attempts, attempt by attempt, in the order in which they started."""

    metric: str  # the name of the objective; empty if the definitions have several, or the caller may not see it
    goal: str  # `Maximize` or `Minimize`; empty as `metric`
    best: str | None  # the trial with the best objective
    remaining: int | None  # number of trials until the limit; None without a limit
    trials: list[Trial]


def read_trials(job: Job, sagemaker: "SageMakerClient") -> Trials:
    """Returns the trials of a tuning job. Raises ClientError if the caller is not allowed to list them."""
    names = [attempt["name"] for attempt in attempts_in_sagemaker(job)]
    trials = [_trial(name, summary) for name in names for summary in _listed(name, sagemaker)]
    metric, goal = _objective(job["request"])
    return {
        "metric": metric,
        "goal": goal,
        "best": _best(trials, goal),
        "remaining": _remaining(job, trials),
        "trials": trials,
    }


def _listed(attempt: str, sagemaker: "SageMakerClient") -> Iterator[Mapping[str, Any]]:
    """Yields SageMaker's summaries. An attempt that SageMaker does not know yet has none."""
    pages = sagemaker.get_paginator("list_training_jobs_for_hyper_parameter_tuning_job").paginate(
        HyperParameterTuningJobName=attempt, SortBy="CreationTime", SortOrder="Ascending"
    )
    try:
        for page in pages:
            yield from cast(list[Mapping[str, Any]], page["TrainingJobSummaries"])
    except sagemaker.exceptions.ResourceNotFound:
        return


def _trial(attempt: str, summary: Mapping[str, Any]) -> Trial:
    ended_at = summary.get("TrainingEndTime")
    final = summary.get("FinalHyperParameterTuningJobObjectiveMetric")
    return {
        "name": summary["TrainingJobName"],
        "attempt": attempt,
        "status": summary["TrainingJobStatus"],
        "ended_at": ended_at.isoformat() if ended_at else None,
        "objective": final["Value"] if final else None,
        "chosen": {name: value.strip('"') for name, value in summary["TunedHyperParameters"].items()},
    }


def _objective(request: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the metric and the goal that all definitions share; empty texts if they differ or are hidden."""
    own = [definition["TuningObjective"] for definition in request.get("TrainingJobDefinitions", ())]
    shared = request[_CONFIG].get(_OBJECTIVE)  # hidden from callers without control of the job
    given = own or ([shared] if shared else [])
    objectives = {(one["MetricName"], one["Type"]) for one in given}
    return objectives.pop() if len(objectives) == 1 else ("", "")


def _best(trials: list[Trial], goal: str) -> str | None:
    """Returns the name of the best trial. In a tie, the first trial wins."""
    valued = [(trial["objective"], trial["name"]) for trial in trials if trial["objective"] is not None]
    if not goal or not valued:
        return None
    better = max if goal == "Maximize" else min
    return better(valued, key=lambda found: found[0])[1]


def _remaining(job: Job, trials: list[Trial]) -> int | None:
    """Subtracts the trials of finished attempts, and the live attempt's finished trials, from the limit."""
    tuning, live = job.get("tuning"), live_attempt(job)
    if not tuning or tuning["most_trials"] is None:
        return None
    name = live["name"] if live else ""
    ended = sum(trial["attempt"] == name and trial["status"] in _ENDED for trial in trials)
    return max(0, tuning["most_trials"] - tuning["ended_trials"] - ended)
