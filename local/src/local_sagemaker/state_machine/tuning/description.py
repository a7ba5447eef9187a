"""Shows a tuning job as DescribeHyperParameterTuningJob, lists and its events do."""

from typing import Any

from local_sagemaker.state_machine.description import envelope
from local_sagemaker.state_machine.tuning.job import TuningJob, definitions, static_hyperparameters
from local_sagemaker.state_machine.tuning.results import (
    Result,
    best,
    not_improving,
    objective_counters,
    training_job_counters,
)
from local_sagemaker.state_machine.tuning.trial_request import resource_configs

EVENT_TYPE = "SageMaker HyperParameter Tuning Job State Change"
# A recorded event has these members, even if they are null.
_IN_EVENT = (
    "HyperParameterTuningJobName",
    "HyperParameterTuningJobArn",
    "HyperParameterTuningJobConfig",
    "TrainingJobDefinition",
    "TrainingJobDefinitions",
    "HyperParameterTuningJobStatus",
    "CreationTime",
    "HyperParameterTuningEndTime",
    "LastModifiedTime",
    "TrainingJobStatusCounters",
    "ObjectiveStatusCounters",
    "FailureReason",
    "BestTrainingJob",
    "TuningJobCompletionReason",
    "TuningJobCompletionDetails",
)
# The guide's event lacks these.
_UNDOCUMENTED = frozenset(
    {"HyperParameterTuningJobConfig", "HyperParameterTuningEndTime", "BestTrainingJob", "TuningJobCompletionDetails"}
)
_TIMES = ("CreationTime", "LastModifiedTime", "HyperParameterTuningEndTime")


def describe(job: TuningJob, found: list[Result], of_parents: list[Result], now: float) -> dict[str, Any]:
    """Returns the description. `found` are the job's own trials, `of_parents` the trials of its warm-start parents."""
    description = {
        member: value
        for member, value in job.request.items()
        if member not in {"Tags", "TrainingJobDefinition", "TrainingJobDefinitions"}
    }
    description |= _definitions(job)
    description |= {
        **_summary(job, found),
        "ConsumedResources": {"RuntimeInSeconds": round((job.ended_at or now) - job.created_at)},
        "TuningJobCompletionDetails": _completion(job, found),
    }
    optional = {
        "FailureReason": job.failure_reason,
        "BestTrainingJob": _summary_of(best(found)),
        "OverallBestTrainingJob": _summary_of(best([*of_parents, *found])) if job.uses_identical_data else None,
    }
    return description | {name: value for name, value in optional.items() if value is not None}


def summarize(job: TuningJob, found: list[Result]) -> dict[str, Any]:
    """Returns the job's entry in a list."""
    return {**_summary(job, found), "Strategy": job.strategy, "ResourceLimits": job.config["ResourceLimits"]}


def trial_summary(result: Result) -> dict[str, Any]:
    """Returns the HyperParameterTrainingJobSummary of a trial."""
    job, value = result.job, result.final_value
    optional = {
        "TrainingJobDefinitionName": result.definition.get("DefinitionName"),
        "TrainingStartTime": job.started_at,
        "TrainingEndTime": job.ended_at,
        "FailureReason": job.failure_reason,
        "FinalHyperParameterTuningJobObjectiveMetric": _final_metric(result, value),
    }
    return {
        "TrainingJobName": job.name,
        "TrainingJobArn": job.arn,
        "TuningJobName": result.tuning_job.name,
        "CreationTime": job.created_at,
        "TrainingJobStatus": job.status.value,
        "TunedHyperParameters": result.trial.tuned,
        "ObjectiveStatus": result.status,
    } | {name: shown for name, shown in optional.items() if shown is not None}


def state_change(
    job: TuningJob, found: list[Result], event_id: str, now: float, *, as_documented: bool
) -> dict[str, Any]:
    """Returns the event. As for training jobs, recorded events have integer ms and nulls, and the guide has strings."""
    description = describe(job, found, [], now)
    detail = {name: description.get(name) for name in _IN_EVENT}
    detail |= {name: round(moment * 1000) for name in _TIMES if (moment := description.get(name)) is not None}
    if as_documented:
        detail = {name: value for name, value in detail.items() if value is not None and name not in _UNDOCUMENTED}
        detail |= {name: str(detail[name]) for name in _TIMES if name in detail}
    detail["Tags"] = dict(job.tags)
    return envelope(EVENT_TYPE, job.arn, detail, event_id, now)


def _summary(job: TuningJob, found: list[Result]) -> dict[str, Any]:
    shown = {
        "HyperParameterTuningJobName": job.name,
        "HyperParameterTuningJobArn": job.arn,
        "HyperParameterTuningJobStatus": job.status.value,
        "CreationTime": job.created_at,
        "LastModifiedTime": job.modified_at,
        "TrainingJobStatusCounters": training_job_counters(found),
        "ObjectiveStatusCounters": objective_counters(found),
    }
    return shown if job.ended_at is None else shown | {"HyperParameterTuningEndTime": job.ended_at}


def _definitions(job: TuningJob) -> dict[str, Any]:
    shown = [
        {**given, **_resource_config(given), "StaticHyperParameters": static_hyperparameters(resolved)}
        for given, resolved in zip(_given(job), definitions(job.request), strict=True)
    ]
    if "TrainingJobDefinitions" in job.request:
        return {"TrainingJobDefinitions": shown}
    return {"TrainingJobDefinition": shown[0]}


def _given(job: TuningJob) -> list[dict[str, Any]]:
    several = job.request.get("TrainingJobDefinitions")
    return list(several) if several else [job.request["TrainingJobDefinition"]]


def _resource_config(definition: dict[str, Any]) -> dict[str, Any]:
    """Returns the ResourceConfig of a definition with one instance type. HyperparameterTuner.attach() needs it."""
    flexible = definition.get("HyperParameterTuningResourceConfig", {})
    return {"ResourceConfig": resource_configs(definition)[0]} if "InstanceType" in flexible else {}


def _completion(job: TuningJob, found: list[Result]) -> dict[str, Any]:
    shown: dict[str, Any] = {"NumberOfTrainingJobsObjectiveNotImproving": not_improving(found)}
    return shown if job.converged_at is None else shown | {"ConvergenceDetectedTime": job.converged_at}


def _summary_of(result: Result | None) -> dict[str, Any] | None:
    return None if result is None else trial_summary(result)


def _final_metric(result: Result, value: float | None) -> dict[str, Any] | None:
    if value is None:
        return None
    kind = "Maximize" if result.objective.maximizes else "Minimize"
    return {"Type": kind, "MetricName": result.objective.metric, "Value": value}
