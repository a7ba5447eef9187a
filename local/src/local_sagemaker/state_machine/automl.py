"""Represents an AutoML job in SageMaker. The emulator's AutoML jobs launch one training job, and end with it."""

from dataclasses import dataclass
from typing import Any

from local_sagemaker.state_machine.job import Status, TrainingJob


@dataclass(slots=True)
class AutoMLJob:
    request: dict[str, Any]  # as submitted, without Tags
    arn: str
    created_at: float
    tags: dict[str, str]
    candidate: TrainingJob
    stopped_at: float | None = None

    @property
    def name(self) -> str:
        return str(self.request["AutoMLJobName"])

    @property
    def status(self) -> str:
        if not self.candidate.is_terminal:
            return "InProgress" if self.stopped_at is None else "Stopping"
        if self.stopped_at is not None:
            return "Stopped"
        return "Completed" if self.candidate.status is Status.COMPLETED else "Failed"

    def describe(self) -> dict[str, Any]:
        """Returns the answer of DescribeAutoMLJobV2, without the candidate's results."""
        status, ended_at = self.status, self.candidate.ended_at
        description = {
            "AutoMLJobName": self.name,
            "AutoMLJobArn": self.arn,
            "AutoMLJobInputDataConfig": self.request["AutoMLJobInputDataConfig"],
            "OutputDataConfig": self.request["OutputDataConfig"],
            "RoleArn": self.request["RoleArn"],
            "AutoMLProblemTypeConfig": self.request["AutoMLProblemTypeConfig"],
            "CreationTime": self.created_at,
            "LastModifiedTime": max(self.candidate.modified_at, self.stopped_at or 0),
            "AutoMLJobStatus": status,
            "AutoMLJobSecondaryStatus": "TrainingModels" if status == "InProgress" else status,
        }
        return description if ended_at is None else {**description, "EndTime": ended_at}
