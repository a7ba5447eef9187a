"""Shows a job as DescribeTrainingJob, ListTrainingJobs and the job's events do."""

from datetime import UTC, datetime
from typing import Any

from local_sagemaker.state_machine.job import PoolStatus, Secondary, Status, TrainingJob

EVENT_SOURCE = "aws.sagemaker"
EVENT_TYPE = "SageMaker Training Job State Change"

# A description shows all members of the request except these.
_HIDDEN = frozenset({"Tags", "SessionChainingConfig"})

# These members of a description are also in the event's schema. The code below adds the others.
_IN_EVENT = (
    "TrainingJobName",
    "TrainingJobArn",
    "TrainingJobStatus",
    "SecondaryStatus",
    "HyperParameters",
    "AlgorithmSpecification",
    "RoleArn",
    "InputDataConfig",
    "OutputDataConfig",
    "ResourceConfig",
    "StoppingCondition",
)


def describe(job: TrainingJob) -> dict[str, Any]:
    description = {name: value for name, value in job.request.items() if name not in _HIDDEN}
    description |= _service_defaults(job)
    description |= {
        "TrainingJobArn": job.arn,
        "TrainingJobStatus": job.status.value,
        "SecondaryStatus": job.secondary.value,
        "StoppingCondition": job.stopping_condition,
        "CreationTime": job.created_at,
        "LastModifiedTime": job.modified_at,
        "SecondaryStatusTransitions": _transitions(job, 1),
    }
    optional = {
        "TrainingStartTime": job.started_at,
        "TrainingEndTime": job.ended_at,
        "FailureReason": job.failure_reason,
        "TuningJobArn": job.tuning_job_arn,
        "AutoMLJobArn": job.automl_job_arn,
        "WarmPoolStatus": warm_pool_status(job),
        "ModelArtifacts": _model_artifacts(job),
        "FinalMetricDataList": _final_metrics(job) or None,
        "TrainingTimeInSeconds": _training_seconds(job),
        "BillableTimeInSeconds": round(job.billed_seconds) if job.is_terminal and job.started_at is not None else None,
    }
    return description | {name: value for name, value in optional.items() if value is not None}


def summarize(job: TrainingJob) -> dict[str, Any]:
    """Returns the job's entry in a list, which has neither ResourceConfig nor tags."""
    shown = {
        "TrainingJobName": job.name,
        "TrainingJobArn": job.arn,
        "CreationTime": job.created_at,
        "LastModifiedTime": job.modified_at,
        "TrainingJobStatus": job.status.value,
        "SecondaryStatus": job.secondary.value,
        "TrainingEndTime": job.ended_at,
        "WarmPoolStatus": warm_pool_status(job),
        "TrainingPlanArn": job.resources.get("TrainingPlanArn"),
    }
    return {name: value for name, value in shown.items() if value is not None}


def state_change(job: TrainingJob, event_id: str, now: float, *, as_documented: bool) -> dict[str, Any]:
    """Returns the event in the form of recorded payloads, or in the form of the guide.

    Recorded payloads have times in integer ms and null keys. The guide has times as strings, no null keys and no
    transitions. Tags are a map in both.
    """
    detail = _as_documented(_event_detail(job)) if as_documented else _event_detail(job)
    return envelope(EVENT_TYPE, job.arn, detail, event_id, now)


def envelope(event_type: str, arn: str, detail: dict[str, Any], event_id: str, now: float) -> dict[str, Any]:
    """Returns an event as EventBridge delivers it."""
    _, _, _, region, account, _ = arn.split(":")
    return {
        "version": "0",
        "id": event_id,
        "detail-type": event_type,
        "source": EVENT_SOURCE,
        "account": account,
        "time": datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": region,
        "resources": [arn],
        "detail": detail,
    }


def warm_pool_status(job: TrainingJob) -> dict[str, Any] | None:
    pool = job.warm_pool
    if pool is None:
        return None
    shown: dict[str, Any] = {"Status": pool.status.value}
    if pool.retained_seconds is not None:
        shown["ResourceRetainedBillableTimeInSeconds"] = pool.retained_seconds
    if pool.status is PoolStatus.REUSED:
        shown["ReusedByJob"] = pool.reused_by
    return shown


def _event_detail(job: TrainingJob) -> dict[str, Any]:
    description = describe(job)
    detail = {name: description[name] for name in _IN_EVENT if name in description}
    detail |= {
        "VpcConfig": job.request.get("VpcConfig", {}),
        "CreationTime": round(job.created_at * 1000),
        "TrainingStartTime": _milliseconds(job.started_at),
        "TrainingEndTime": _milliseconds(job.ended_at),
        "LastModifiedTime": round(job.modified_at * 1000),
        "FailureReason": job.failure_reason,
        "SecondaryStatusTransitions": _transitions(job, 1000),
        "Tags": dict(job.tags),
    }
    artifacts = _model_artifacts(job)
    return detail if artifacts is None else detail | {"ModelArtifacts": artifacts}


def _as_documented(detail: dict[str, Any]) -> dict[str, Any]:
    times = {name: str(value) for name, value in detail.items() if name.endswith("Time") and value is not None}
    present = {name: value for name, value in detail.items() if value is not None}
    return present | times | {"SecondaryStatusTransitions": []}


def _service_defaults(job: TrainingJob) -> dict[str, Any]:
    """Returns the values that the service adds for missing members of the request."""
    request = job.request
    defaults: dict[str, Any] = {
        "HyperParameters": request.get("HyperParameters", {}),
        "OutputDataConfig": {"KmsKeyId": "", "CompressionType": "GZIP"} | request["OutputDataConfig"],
        "EnableNetworkIsolation": request.get("EnableNetworkIsolation", False),
        "EnableInterContainerTrafficEncryption": request.get("EnableInterContainerTrafficEncryption", False),
        "EnableManagedSpotTraining": job.is_spot,
        "ProfilingStatus": "Disabled" if request.get("ProfilerConfig", {}).get("DisableProfiler", True) else "Enabled",
    }
    if "ServerlessJobConfig" not in request:
        defaults |= _debugging_defaults(request)
    if "AlgorithmSpecification" in request:
        defaults["AlgorithmSpecification"] = {"EnableSageMakerMetricsTimeSeries": False} | request[
            "AlgorithmSpecification"
        ]
    if "CheckpointConfig" in request:
        defaults["CheckpointConfig"] = {"LocalPath": "/opt/ml/checkpoints"} | request["CheckpointConfig"]
    if "InputDataConfig" in request:
        none = {"CompressionType": "None", "RecordWrapperType": "None"}
        defaults["InputDataConfig"] = [none | channel for channel in request["InputDataConfig"]]
    if "ResourceConfig" in request:
        defaults["ResourceConfig"] = _resource_config(job)
    return defaults


def _debugging_defaults(request: dict[str, Any]) -> dict[str, Any]:
    """Adds the settings of Debugger and Profiler, which are on by default."""
    output = {"S3OutputPath": request["OutputDataConfig"]["S3OutputPath"]}
    profiler = output | {"ProfilingIntervalInMilliseconds": 500, "DisableProfiler": False}
    return {
        "DebugHookConfig": output | {"CollectionConfigurations": []} | request.get("DebugHookConfig", {}),
        "ProfilerConfig": profiler | request.get("ProfilerConfig", {}),
    }


def _resource_config(job: TrainingJob) -> dict[str, Any]:
    resources = job.resources
    if job.selected is not None:
        resources |= {f"Selected{name}": value for name, value in job.selected.items()}
    return {"KeepAlivePeriodInSeconds": 0} | resources


def _transitions(job: TrainingJob, scale: int) -> list[dict[str, Any]]:
    """Lists the status transitions; `scale` is 1 for seconds in a description, 1000 for milliseconds in an event."""
    shown = []
    for transition in job.transitions:
        entry = {"Status": transition.status.value, "StartTime": _scaled(transition.start, scale)}
        if transition.end is not None:
            entry["EndTime"] = _scaled(transition.end, scale)
        shown.append(entry | {"StatusMessage": transition.message})
    return shown


def _model_artifacts(job: TrainingJob) -> dict[str, str] | None:
    """Returns the model artifacts of a finished job that reached Uploading, else None."""
    trained = any(transition.status is Secondary.UPLOADING for transition in job.transitions)
    if job.status not in {Status.COMPLETED, Status.STOPPED} or not trained:
        return None
    return {"S3ModelArtifacts": model_artifacts_uri(job.request)}


def _final_metrics(job: TrainingJob) -> list[dict[str, Any]]:
    return [{"MetricName": metric.name, "Value": metric.value, "Timestamp": metric.at} for metric in job.final_metrics]


def model_artifacts_uri(request: dict[str, Any]) -> str:
    output = request["OutputDataConfig"]
    path = f"{output['S3OutputPath'].rstrip('/')}/{request['TrainingJobName']}/output/model"
    return f"{path}/" if output.get("CompressionType") == "NONE" else f"{path}.tar.gz"


def _training_seconds(job: TrainingJob) -> int | None:
    return None if job.started_at is None or job.ended_at is None else round(job.ended_at - job.started_at)


def _milliseconds(moment: float | None) -> float | None:
    return None if moment is None else _scaled(moment, 1000)


def _scaled(moment: float, scale: int) -> float:
    return moment if scale == 1 else round(moment * scale)
