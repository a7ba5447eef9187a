"""What SageMaker answers to which call in which state.

Each row has the number of its fact in the team's collection of AWS facts, and how far to trust it: D documented by AWS,
B the service model, C seen in a real system, U not documented (the emulator's choice).
"""

from dataclasses import dataclass, field
from typing import Any

from local_sagemaker.conformance.requests import ARN, NAME, a_request, keeping_alive, spot

NOT_FOUND = ("ValidationException", "Requested resource not found.")


def in_status(status: str) -> tuple[str, str]:
    return "ValidationException", f"The request was rejected because the training job is in status {status}."


def shown(status: str, secondary_status: str) -> dict[str, str]:
    return {"TrainingJobStatus": status, "SecondaryStatus": secondary_status}


@dataclass(frozen=True)
class Row:
    fact: str
    trust: str
    state: str
    call: str
    answer: tuple[str, str] | dict[str, Any]  # an error's code and text, or a part of the answer
    parameters: dict[str, Any] = field(default_factory=lambda: {"TrainingJobName": NAME})
    request: dict[str, Any] = field(default_factory=a_request)

    @property
    def succeeds(self) -> bool:
        return isinstance(self.answer, dict)


TAKEN = (
    "ResourceInUse",
    "Training job names must be unique within an AWS account and region, and a training job with this name already "
    f"exists ({ARN})",
)
WAIT_WITHOUT_SPOT = (
    "ValidationException",
    "Invalid MaxWaitTimeInSeconds. It is only supported when EnableManagedSpotTraining is set to true",
)
AWS_TAG = {"ResourceArn": ARN, "Tags": [{"Key": "AWS:x", "Value": "y"}]}
RELEASE = {"TrainingJobName": NAME, "ResourceConfig": {"KeepAlivePeriodInSeconds": 0}}

TABLE = [
    # Create
    Row("2.29", "C", "unknown", "create_training_job", {"TrainingJobArn": ARN}, a_request()),
    Row("2.21", "C", "training", "create_training_job", TAKEN, a_request()),
    Row("2.21", "C", "completed", "create_training_job", TAKEN, a_request()),
    Row("2.25", "C", "unknown", "create_training_job", WAIT_WITHOUT_SPOT, spot(EnableManagedSpotTraining=False)),
    # Describe
    Row("2.24", "C", "unknown", "describe_training_job", NOT_FOUND),
    Row("2.6", "C", "starting", "describe_training_job", shown("InProgress", "Starting")),
    Row("2.6", "C", "downloading", "describe_training_job", shown("InProgress", "Downloading")),
    Row("2.6", "C", "training", "describe_training_job", shown("InProgress", "Training")),
    Row("2.6", "C", "uploading", "describe_training_job", shown("InProgress", "Uploading")),
    Row("2.5", "B", "stopping", "describe_training_job", shown("Stopping", "Stopping")),
    Row("2.5", "B", "completed", "describe_training_job", shown("Completed", "Completed")),
    Row("2.5", "B", "stopped", "describe_training_job", shown("Stopped", "Stopped")),
    Row("2.5", "B", "failed", "describe_training_job", shown("Failed", "Failed")),
    # Stop
    Row("2.24", "C", "unknown", "stop_training_job", NOT_FOUND),
    Row("2.12", "B", "starting", "stop_training_job", {}),
    Row("2.12", "B", "training", "stop_training_job", {}),
    Row("2.16", "U", "stopping", "stop_training_job", {}),
    Row("2.14", "C", "completed", "stop_training_job", in_status("Completed")),
    Row("2.14", "C", "stopped", "stop_training_job", in_status("Stopped")),
    Row("2.14", "C", "failed", "stop_training_job", in_status("Failed")),
    # Update
    Row("2.24", "C", "unknown", "update_training_job", NOT_FOUND),
    Row("2.18", "B", "completed", "update_training_job", {"TrainingJobArn": ARN}, RELEASE, keeping_alive(600)),
    Row(
        "2.18",
        "U",
        "training",
        "update_training_job",
        (
            "ValidationException",
            "KeepAlivePeriodInSeconds can only be updated while the warm pool is in status Available.",
        ),
        RELEASE,
        keeping_alive(600),
    ),
    # Delete
    Row("2.24", "C", "unknown", "delete_training_job", NOT_FOUND),
    Row("2.19", "B", "training", "delete_training_job", ("ResourceInUse", "Training job is not in a terminal state")),
    Row("2.19", "B", "completed", "delete_training_job", {}),
    Row(
        "2.19",
        "B",
        "completed",
        "delete_training_job",
        ("ResourceInUse", "Training job has a warm pool in status Available"),
        request=keeping_alive(600),
    ),
    # Tags
    Row("2.24", "U", "unknown", "list_tags", NOT_FOUND, {"ResourceArn": ARN}),
    Row("2.65", "B", "training", "list_tags", {"Tags": []}, {"ResourceArn": ARN}),
    Row(
        "2.66",
        "D",
        "training",
        "add_tags",
        ("ValidationException", "aws: prefixed tag key names are not allowed for external use: AWS:x"),
        AWS_TAG,
    ),
]
