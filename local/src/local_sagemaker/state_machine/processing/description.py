"""Shows a processing job as DescribeProcessingJob, ListProcessingJobs and the job's events do."""

from typing import Any

from local_sagemaker.state_machine.description import envelope
from local_sagemaker.state_machine.processing.job import ProcessingJob

EVENT_TYPE = "SageMaker Processing Job State Change"
_TIMES = ("CreationTime", "LastModifiedTime", "ProcessingStartTime", "ProcessingEndTime")


def describe(job: ProcessingJob) -> dict[str, Any]:
    description = {name: value for name, value in job.request.items() if name != "Tags"}
    description["StoppingCondition"] = {"MaxRuntimeInSeconds": 86_400} | job.request.get("StoppingCondition", {})
    if job.selected is not None:
        cluster = job.request["ProcessingResources"]["ClusterConfig"]
        chosen = {f"Selected{name}": value for name, value in job.selected.items()}
        description["ProcessingResources"] = {"ClusterConfig": cluster | chosen}
    started = {} if job.started_at is None else {"ProcessingStartTime": job.started_at}
    return description | summarize(job) | started


def summarize(job: ProcessingJob) -> dict[str, Any]:
    """Returns the job's entry in a list."""
    shown = {
        "ProcessingJobName": job.name,
        "ProcessingJobArn": job.arn,
        "ProcessingJobStatus": job.status.value,
        "CreationTime": job.created_at,
        "LastModifiedTime": job.modified_at,
        "ProcessingEndTime": job.ended_at,
        "ExitMessage": job.exit_message,
        "FailureReason": job.failure_reason,
    }
    return {name: value for name, value in shown.items() if value is not None}


def state_change(job: ProcessingJob, event_id: str, now: float, *, as_documented: bool) -> dict[str, Any]:
    """Returns the event, with times in milliseconds: strings as in the guide, or integers as in recorded events."""
    detail = describe(job)
    for name in _TIMES:
        if name in detail:
            milliseconds = round(detail[name] * 1000)
            detail[name] = str(milliseconds) if as_documented else milliseconds
    return envelope(EVENT_TYPE, job.arn, detail | {"Tags": dict(job.tags)}, event_id, now)
