"""Translates a queue state into SageMaker's TrainingJobStatus and SecondaryStatus, with a message.

A preempted job is never `Stopped`: the SDKs treat that as the end, and a script would deploy a partly trained model.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sagequeue.contract.jobs import Attempt, Job
from sagequeue.jobs.attempts import live_attempt


@dataclass(frozen=True, slots=True)
class Status:
    primary: str
    secondary: str
    message: str


def status(job: Job) -> Status:
    match job["state"]:
        case "launching" | "running":
            return _running(job)
        case "stopping":
            return _stopping(job)
        case "completed":
            return Status("Completed", "Completed", "Training job completed")
        case "stopped":
            return Status("Stopped", "Stopped", job["reason"]["message"])
        case "failed":
            return Status("Failed", "Failed", failure_reason(job))
        case waiting:  # also a state of a newer queue: programs that wait for the job keep waiting
            return Status("InProgress", "Pending", waiting_message(job, waiting))


def waiting_message(job: Job, state: str) -> str:
    """Returns for example "queued: position 3, priority 5: needs 2 × ml.p4d.24xlarge; held by resnet"."""
    place = f"queued: position {job['position']}" if job["position"] else state
    why = job["reason"]["message"] or f"needs {instances(job)}"
    return f"{place}, priority {job['priority']}: {why}"


def instances(job: Job) -> str:
    return instances_text(job["instances"], " or " if job.get("preferences") else " + ")  # absent from an older queue


def instances_text(wanted: Mapping[str, int], among: str = " + ") -> str:
    return among.join(f"{count} × {kind}" for kind, count in wanted.items())


def failure_reason(job: Job) -> str:
    # SDK v2 reads "CapacityError" as SageMaker's lack of instances, and raises another exception.
    return job["reason"]["message"].replace("CapacityError", "capacity error")


def _running(job: Job) -> Status:
    attempt = live_attempt(job)
    if attempt is None:
        return Status("InProgress", "Starting", job["reason"]["message"])
    return Status("InProgress", attempt["secondary_status"] or "Starting", attempt["message"] or _starts(attempt))


def _starts(attempt: Attempt) -> str:
    return f"{attempt['name']} starts"


def _stopping(job: Job) -> Status:
    if job["reason"]["code"] == "cancelled":
        return Status("Stopping", "Stopping", job["reason"]["message"])
    return Status("InProgress", "Interrupted", job["reason"]["message"])
