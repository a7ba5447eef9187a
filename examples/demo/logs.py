"""Reads the output of the training script from CloudWatch Logs, where SageMaker stores it."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_logs import CloudWatchLogsClient

LOG_GROUP = "/aws/sagemaker/TrainingJobs"
EPOCH = re.compile(r"epoch (\d+)/")
RESUMPTION = re.compile(r"resumed from checkpoint: continuing at epoch (\d+)")


def lines(logs: "CloudWatchLogsClient", attempt: str) -> list[str]:
    """Returns all lines that the attempt has printed so far."""
    try:
        streams = logs.describe_log_streams(logGroupName=LOG_GROUP, logStreamNamePrefix=f"{attempt}/")["logStreams"]
    except logs.exceptions.ResourceNotFoundException:  # no job has printed anything yet
        return []
    return [line for stream in streams for line in lines_of_stream(logs, stream["logStreamName"])]


def lines_of_stream(logs: "CloudWatchLogsClient", stream: str) -> list[str]:
    pages = logs.get_paginator("filter_log_events").paginate(logGroupName=LOG_GROUP, logStreamNames=[stream])
    return [event["message"].rstrip() for page in pages for event in page["events"]]


def epochs(printed: Sequence[str]) -> list[int]:
    return [int(match[1]) for line in printed if (match := EPOCH.match(line))]


def has_epoch(epoch: int) -> Callable[[Sequence[str]], bool]:
    return lambda printed: epoch in epochs(printed)


def resumption(printed: Sequence[str]) -> str | None:
    """Returns the line in which the script reports the epoch at which it continues."""
    return next((line for line in printed if RESUMPTION.match(line)), None)


def epoch_of_resumption(printed: Sequence[str]) -> int | None:
    return next((int(match[1]) for line in printed if (match := RESUMPTION.match(line))), None)
