"""What the training script printed, from CloudWatch Logs, where SageMaker keeps it."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_logs import CloudWatchLogsClient

LOG_GROUP = "/aws/sagemaker/TrainingJobs"
EPOCH = re.compile(r"epoch (\d+)/")
RESUMPTION = re.compile(r"resumed from checkpoint: continuing at epoch (\d+)")


def lines(logs: "CloudWatchLogsClient", attempt: str) -> list[str]:
    """Everything the attempt printed so far."""
    try:
        streams = logs.describe_log_streams(logGroupName=LOG_GROUP, logStreamNamePrefix=f"{attempt}/")["logStreams"]
    except logs.exceptions.ResourceNotFoundException:  # nobody has printed anything yet
        return []
    return [line for stream in streams for line in lines_of_stream(logs, stream["logStreamName"])]


def lines_of_stream(logs: "CloudWatchLogsClient", stream: str) -> list[str]:
    pages = logs.get_paginator("filter_log_events").paginate(logGroupName=LOG_GROUP, logStreamNames=[stream])
    return [event["message"].rstrip() for page in pages for event in page["events"]]


def epochs(printed: Sequence[str]) -> list[int]:
    return [int(match[1]) for line in printed if (match := EPOCH.match(line))]


def tells_of_epoch(epoch: int) -> Callable[[Sequence[str]], bool]:
    return lambda printed: epoch in epochs(printed)


def resumption(printed: Sequence[str]) -> str | None:
    """The line in which the script says where it goes on."""
    return next((line for line in printed if RESUMPTION.match(line)), None)


def epoch_of_resumption(printed: Sequence[str]) -> int | None:
    return next((int(match[1]) for line in printed if (match := RESUMPTION.match(line))), None)
