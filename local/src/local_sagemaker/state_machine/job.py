"""Represents a training job in SageMaker: request, statuses, times and warm pool. Times are seconds since the epoch."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from local_sagemaker.state_machine.commands import MetricValue

_RESOURCES = ("InstanceType", "InstanceCount", "VolumeKmsKeyId", "VolumeSizeInGB")
#: The static hyperparameter that names the objective metric in each trial of a tuning job.
OBJECTIVE_HYPERPARAMETER = "_tuning_objective_metric"

_CONFIGS = ("RoleArn", "VpcConfig", "EnableInterContainerTrafficEncryption", "EnableNetworkIsolation")


class Status(StrEnum):
    IN_PROGRESS = "InProgress"
    STOPPING = "Stopping"
    COMPLETED = "Completed"
    FAILED = "Failed"
    STOPPED = "Stopped"


TERMINAL = frozenset({Status.COMPLETED, Status.FAILED, Status.STOPPED})


class Secondary(StrEnum):
    STARTING = "Starting"
    PENDING = "Pending"
    DOWNLOADING = "Downloading"
    TRAINING = "Training"
    INTERRUPTED = "Interrupted"
    UPLOADING = "Uploading"
    STOPPING = "Stopping"
    COMPLETED = "Completed"
    FAILED = "Failed"
    STOPPED = "Stopped"
    MAX_RUNTIME_EXCEEDED = "MaxRuntimeExceeded"
    MAX_WAIT_TIME_EXCEEDED = "MaxWaitTimeExceeded"


class PoolStatus(StrEnum):
    IN_USE = "InUse"
    AVAILABLE = "Available"
    REUSED = "Reused"
    TERMINATED = "Terminated"


@dataclass(slots=True)
class Transition:
    status: Secondary
    start: float
    message: str
    end: float | None = None


@dataclass(slots=True)
class WarmPool:
    """The retained instances of a job. They count against the quota until they are reused or terminated."""

    status: PoolStatus
    since: float
    expires_at: float | None = None
    retained_seconds: int | None = None
    reused_by: str | None = None


@dataclass(slots=True)
class TrainingJob:
    request: dict[str, Any]  # as submitted, without Tags
    arn: str
    created_at: float
    modified_at: float
    tags: dict[str, str]
    status: Status = Status.IN_PROGRESS
    transitions: list[Transition] = field(default_factory=list)
    ready_at: float | None = None  # the time at which the instances are available; None while it is unknown
    kill_at: float | None = None  # the end of a stop's grace period
    up_since: float | None = None  # the time from which the instances are available
    billed_seconds: float = 0  # in earlier periods on instances
    started_at: float | None = None
    ended_at: float | None = None
    stopped_as: Secondary | None = None  # the final status after a stop
    failure_reason: str | None = None
    retries: int = 0
    warm_pool: WarmPool | None = None
    final_metrics: list[MetricValue] = field(default_factory=list)
    selected: dict[str, Any] | None = None  # type and count, chosen from the request's preferences
    tuning_job_arn: str | None = None  # the tuning job that launched this job
    automl_job_arn: str | None = None  # the AutoML job that launched this job
    objective_values: list[float] = field(default_factory=list)  # of a trial, in the order of its log

    @property
    def name(self) -> str:
        return str(self.request["TrainingJobName"])

    @property
    def secondary(self) -> Secondary:
        return self.transitions[-1].status

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL

    @property
    def has_waiting_pool(self) -> bool:
        return self.warm_pool is not None and self.warm_pool.status is PoolStatus.AVAILABLE

    @property
    def holds_instances(self) -> bool:
        """Returns whether the job's instances count against the quotas. If they do, their state may still change."""
        return not self.is_terminal or self.has_waiting_pool

    @property
    def resources(self) -> dict[str, Any]:
        return {**self.request.get("ResourceConfig", {})}

    @property
    def resolved_request(self) -> dict[str, Any]:
        """The request, with the selected instances in place of its preferences."""
        if self.selected is None:
            return self.request
        others = {name: value for name, value in self.resources.items() if name != "InstancePreferences"}
        return {**self.request, "ResourceConfig": others | self.selected}

    @property
    def is_spot(self) -> bool:
        return bool(self.request.get("EnableManagedSpotTraining", False))

    @property
    def objective_metric(self) -> str | None:
        """The metric by which a tuning job judges this job; None if no tuning job launched it."""
        name = self.request.get("HyperParameters", {}).get(OBJECTIVE_HYPERPARAMETER)
        return None if self.tuning_job_arn is None or name is None else str(name)

    @property
    def objective_value(self) -> float | None:
        """The last value of the objective metric."""
        return self.objective_values[-1] if self.objective_values else None

    @property
    def stopping_condition(self) -> dict[str, Any]:
        return {"MaxRuntimeInSeconds": 86400, **self.request.get("StoppingCondition", {})}

    @property
    def keep_alive_seconds(self) -> int:
        return int(self.resources.get("KeepAlivePeriodInSeconds", 0))

    def enter(self, status: Status, secondary: Secondary, message: str, now: float) -> None:
        if self.transitions:
            self.transitions[-1].end = now
        self.transitions.append(Transition(secondary, now, message))
        self.status = status
        self.modified_at = now


def find_pool(request: dict[str, Any], jobs: Iterable[TrainingJob]) -> TrainingJob | None:
    """Returns the job whose warm pool matches. Only a job with its own keep-alive period reuses a pool."""
    if not request.get("ResourceConfig", {}).get("KeepAlivePeriodInSeconds"):
        return None
    for job in jobs:
        if job.has_waiting_pool and matching_key(job.request) == matching_key(request):
            return job
    return None


def matching_key(request: dict[str, Any]) -> list[Any]:
    """Returns the values that a request and the pool's request must share."""
    resources = request["ResourceConfig"]
    return [resources.get(name) or None for name in _RESOURCES] + [request.get(name) or None for name in _CONFIGS]


def end_pool(job: TrainingJob, status: PoolStatus, now: float, reused_by: str | None = None) -> None:
    """Ends the job's warm pool, which was released, has expired, or is reused by another job."""
    if job.warm_pool is not None:
        retained = round(now - job.warm_pool.since)
        job.warm_pool = WarmPool(status, job.warm_pool.since, retained_seconds=retained, reused_by=reused_by)
