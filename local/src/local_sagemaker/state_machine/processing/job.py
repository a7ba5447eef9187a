"""Represents a processing job in SageMaker: request, status and times. Times are seconds since the epoch."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class ProcessingStatus(StrEnum):
    IN_PROGRESS = "InProgress"
    STOPPING = "Stopping"
    COMPLETED = "Completed"
    FAILED = "Failed"
    STOPPED = "Stopped"


TERMINAL = frozenset({ProcessingStatus.COMPLETED, ProcessingStatus.FAILED, ProcessingStatus.STOPPED})


@dataclass(slots=True)
class ProcessingJob:
    request: dict[str, Any]  # as submitted, without Tags
    arn: str
    created_at: float
    modified_at: float
    tags: dict[str, str]
    status: ProcessingStatus = ProcessingStatus.IN_PROGRESS
    ready_at: float | None = None  # the time at which the instances are available; None while it is unknown
    started_at: float | None = None
    is_running: bool = False  # the container runs
    kill_at: float | None = None  # the end of a stop's grace period
    ended_at: float | None = None
    exit_message: str | None = None  # what the container wrote to /opt/ml/output/message
    failure_reason: str | None = None
    selected: dict[str, Any] | None = None  # type and count, chosen from the request's preferences

    @property
    def name(self) -> str:
        return str(self.request["ProcessingJobName"])

    @property
    def key(self) -> str:
        """The job's name in commands and reports. A training job may have the same name, but never this key."""
        return processing_key(self.name)

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL

    @property
    def runtime_end(self) -> float | None:
        seconds = self.request.get("StoppingCondition", {}).get("MaxRuntimeInSeconds", 86_400)
        return None if self.started_at is None else self.started_at + float(seconds)

    @property
    def resolved_request(self) -> dict[str, Any]:
        """The request, with the selected instances in place of its preferences."""
        return {**self.request, "ProcessingResources": {"ClusterConfig": self.cluster["ResourceConfig"]}}

    @property
    def cluster(self) -> dict[str, Any]:
        """The cluster in the form that training requests use, with the selected instances in place of preferences."""
        return cluster_request(self.request, self.selected)


def processing_key(name: str) -> str:
    return f"processing-job/{name}"


def cluster_request(request: dict[str, Any], selected: dict[str, Any] | None = None) -> dict[str, Any]:
    config = {**request["ProcessingResources"]["ClusterConfig"]}
    if selected is not None:
        config.pop("InstancePreferences", None)
    cluster = {"ResourceConfig": config | (selected or {})}
    network = request.get("NetworkConfig", {}).get("VpcConfig")
    return cluster if network is None else cluster | {"VpcConfig": network}
