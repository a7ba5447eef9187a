"""Builds estimators of SDK v2 that train the script of the examples."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mypy_boto3_logs import CloudWatchLogsClient

from support.checkout import CHECKOUT

if TYPE_CHECKING:
    from sagequeue import QueueSession

DIGITS = CHECKOUT / "examples" / "digits"
LOG_GROUP = "/aws/sagemaker/TrainingJobs"


def digits_estimator(
    session: "QueueSession", name: str, *, priority: int, epochs: int, epoch_seconds: float = 1
) -> Any:
    from sagemaker.pytorch import PyTorch

    return PyTorch(
        entry_point="train.py",
        source_dir=str(DIGITS),
        framework_version="2.3",
        py_version="py311",
        role="SageMakerLocalRole",
        instance_type="ml.m5.large",
        instance_count=1,
        hyperparameters={"epochs": epochs, "epoch-seconds": epoch_seconds},
        checkpoint_s3_uri=f"s3://{session.default_bucket()}/checkpoints/{name}",
        tags=[{"Key": "priority", "Value": str(priority)}],
        sagemaker_session=session,
    )


def printed(logs: CloudWatchLogsClient, attempt: str) -> Sequence[str]:
    """Returns the lines that an attempt has written to CloudWatch Logs."""
    streams = logs.describe_log_streams(logGroupName=LOG_GROUP, logStreamNamePrefix=f"{attempt}/")["logStreams"]
    names = [stream["logStreamName"] for stream in streams]
    pages = [logs.get_log_events(logGroupName=LOG_GROUP, logStreamName=name, startFromHead=True) for name in names]
    return [event["message"] for page in pages for event in page["events"]]
