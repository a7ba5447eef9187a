"""The logs of training jobs in CloudWatch Logs, one stream for each host."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:
    from mypy_boto3_logs import CloudWatchLogsClient

logger = logging.getLogger(__name__)

_GROUP = "/aws/sagemaker/TrainingJobs"
#: The most hosts whose logs are read: each host costs a call, and the first host usually shows the cause.
_HOSTS = 8
_LINES = 50
#: Characters. As many as SageMaker's FailureReason has (aws-facts 2.28), because every pattern is tried on each line.
_LONGEST_LINE = 1024


class CloudWatchLogs:
    """Implements the port `TrainingLogs`."""

    def __init__(self, client: CloudWatchLogsClient) -> None:
        self._client = client

    def last_lines(self, attempt_name: str) -> tuple[str, ...]:
        try:
            return tuple(self._lines(attempt_name))
        except (ClientError, BotoCoreError) as error:
            logger.warning("no log", extra={"attempt": attempt_name, "cause": type(error).__name__})
            return ()

    def _lines(self, attempt_name: str) -> Iterator[str]:
        found = self._client.describe_log_streams(
            logGroupName=_GROUP, logStreamNamePrefix=f"{attempt_name}/", limit=_HOSTS
        )
        for stream in found["logStreams"]:
            answer = self._client.get_log_events(
                logGroupName=_GROUP, logStreamName=stream["logStreamName"], limit=_LINES, startFromHead=False
            )
            yield from (event["message"][-_LONGEST_LINE:] for event in answer["events"])
