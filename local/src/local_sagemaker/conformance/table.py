"""The conformance table has SageMaker's answer to each call in each state.

Each row has the number of its fact in docs/contribute/aws-facts.md, and its source: D documented by AWS, B the service
model, C seen in a real system, U not documented (the emulator's choice).
"""

from dataclasses import dataclass, field
from typing import Any

from local_sagemaker.conformance.requests import ARN, NAME, OUTPUT, a_request, keeping_alive, spot

NOT_FOUND = ("ValidationException", "Requested resource not found.")


def in_status(status: str) -> tuple[str, str]:
    return "ValidationException", f"The request was rejected because the training job is in status {status}."


def shown(status: str, secondary_status: str) -> dict[str, str]:
    return {"TrainingJobStatus": status, "SecondaryStatus": secondary_status}


@dataclass(frozen=True)
class Row:
    fact: str
    source: str
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
BAD_NAME = (
    "ValidationException",
    "1 validation error detected: Value '-x' at 'trainingJobName' failed to satisfy constraint: Member must satisfy "
    "regular expression pattern: [a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}",
)
PREFERENCES = [{"InstanceType": name, "InstanceCount": 1} for name in ("ml.m5.large", "ml.m5.xlarge")]
PREFERRING = {"InstancePreferences": PREFERENCES, "VolumeSizeInGB": 1}
SELECTED = {"SelectedInstanceType": "ml.m5.large", "SelectedInstanceCount": 1}
GROUPS = [{"InstanceGroupName": "a", "InstanceType": "ml.m5.large", "InstanceCount": 2}]
GROUPED = {"InstanceGroups": GROUPS, "VolumeSizeInGB": 1}
PENDING_LIMIT = {"MaxRuntimeInSeconds": 3600, "MaxPendingTimeInSeconds": 1800}
UPDATED_TAG = {"ResourceArn": ARN, "Tags": [{"Key": "team", "Value": "blue"}]}
AWS_TAG = {"ResourceArn": ARN, "Tags": [{"Key": "AWS:x", "Value": "y"}]}
RELEASE = {"TrainingJobName": NAME, "ResourceConfig": {"KeepAlivePeriodInSeconds": 0}}

TABLE = [
    # Create
    Row("2.29", "C", "unknown", "create_training_job", {"TrainingJobArn": ARN}, a_request()),
    Row("2.21", "C", "training", "create_training_job", TAKEN, a_request()),
    Row("2.21", "C", "completed", "create_training_job", TAKEN, a_request()),
    Row("2.25", "C", "unknown", "create_training_job", WAIT_WITHOUT_SPOT, spot(EnableManagedSpotTraining=False)),
    Row("2.29", "B", "unknown", "create_training_job", BAD_NAME, a_request(TrainingJobName="-x")),
    Row(
        "2.40",
        "B",
        "unknown",
        "create_training_job",
        ("ValidationException", "Invalid MaxRuntimeInSeconds. It must be less than or equal to 2419200"),
        a_request(StoppingCondition={"MaxRuntimeInSeconds": 28 * 86_400 + 1}),
    ),
    Row(
        "2.54",
        "D",
        "unknown",
        "create_training_job",
        ("ValidationException", "KeepAlivePeriodInSeconds is not supported with managed spot training."),
        spot(ResourceConfig=keeping_alive(600)["ResourceConfig"]),
    ),
    Row(
        "2.56",
        "B",
        "unknown",
        "create_training_job",
        ("ValidationException", "SelectedInstanceType and SelectedInstanceCount cannot be set."),
        a_request(ResourceConfig=PREFERRING | SELECTED),
    ),
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
    Row("2.5", "B", "waiting", "describe_training_job", shown("InProgress", "Pending")),
    Row("2.15", "C", "stuck", "describe_training_job", shown("Stopping", "Stopping")),
    Row("2.40", "B", "out of time", "describe_training_job", shown("Stopped", "MaxRuntimeExceeded")),
    Row(
        "2.40",
        "B",
        "training",
        "describe_training_job",
        {"StoppingCondition": {"MaxRuntimeInSeconds": 86_400}},
        request={name: value for name, value in a_request().items() if name != "StoppingCondition"},
    ),
    Row(
        "2.41",
        "B",
        "waiting too long",
        "describe_training_job",
        shown("Stopped", "MaxWaitTimeExceeded"),
        request=spot(),
    ),
    Row(
        "2.42",
        "U",
        "waiting too long",
        "describe_training_job",
        shown("Stopped", "Stopped"),
        request=a_request(StoppingCondition=PENDING_LIMIT),
    ),
    Row(
        "2.43",
        "B",
        "broken",
        "describe_training_job",
        shown("InProgress", "Starting"),
        request=a_request(RetryStrategy={"MaximumRetryAttempts": 1}),
    ),
    Row(
        "2.28",
        "C",
        "broken",
        "describe_training_job",
        {"FailureReason": "InternalServerError: We encountered an internal error. Please try again."},
    ),
    Row(
        "2.44",
        "D",
        "interrupted",
        "describe_training_job",
        shown("InProgress", "Interrupted"),
        request=spot(),
    ),
    Row(
        "2.50",
        "D",
        "training",
        "describe_training_job",
        {"WarmPoolStatus": {"Status": "InUse"}},
        request=keeping_alive(600),
    ),
    *(
        Row(
            "2.52",
            "D",
            state,
            "describe_training_job",
            {"WarmPoolStatus": {"Status": "Available"}},
            request=keeping_alive(600),
        )
        for state in ("completed", "stopped", "failed")
    ),
    Row(
        "2.56",
        "B",
        "starting",
        "describe_training_job",
        {"ResourceConfig": {"KeepAlivePeriodInSeconds": 0} | PREFERRING},
        request=a_request(ResourceConfig=PREFERRING),
    ),
    Row(
        "2.56",
        "B",
        "training",
        "describe_training_job",
        {"ResourceConfig": {"KeepAlivePeriodInSeconds": 0} | PREFERRING | SELECTED},
        request=a_request(ResourceConfig=PREFERRING),
    ),
    Row(
        "2.57",
        "B",
        "training",
        "describe_training_job",
        {"ResourceConfig": {"KeepAlivePeriodInSeconds": 0} | GROUPED},
        request=a_request(ResourceConfig=GROUPED),
    ),
    Row(
        "2.72",
        "C",
        "training",
        "describe_training_job",
        {
            "OutputDataConfig": {"S3OutputPath": OUTPUT, "KmsKeyId": "", "CompressionType": "GZIP"},
            "DebugHookConfig": {"S3OutputPath": OUTPUT, "CollectionConfigurations": []},
            "ProfilerConfig": {
                "S3OutputPath": OUTPUT,
                "ProfilingIntervalInMilliseconds": 500,
                "DisableProfiler": False,
            },
        },
    ),
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
        "2.65",
        "B",
        "training",
        "add_tags",
        {"Tags": UPDATED_TAG["Tags"]},
        UPDATED_TAG,
        a_request(Tags=[{"Key": "team", "Value": "red"}]),
    ),
    Row(
        "2.66",
        "D",
        "training",
        "add_tags",
        ("ValidationException", "aws: prefixed tag key names are not allowed for external use: AWS:x"),
        AWS_TAG,
    ),
]
