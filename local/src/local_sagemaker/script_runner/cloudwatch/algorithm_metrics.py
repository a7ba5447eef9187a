"""Extracts the metrics of a request's MetricDefinitions from log lines, as SageMaker does."""

from __future__ import annotations

import logging
import math
import re
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from local_sagemaker.errors import JobError
from local_sagemaker.script_runner.cloudwatch.metrics import NAMESPACE
from local_sagemaker.state_machine.commands import MetricValue

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_cloudwatch.type_defs import MetricDatumTypeDef

_MOST_VALUES = 1000  # the maximum number of values in one PutMetricData call

_log = logging.getLogger(__name__)


class AlgorithmMetrics:
    """Finds metric values in lines that any thread adds; `publish` sends them. A failed call never fails the job."""

    def __init__(self, client: CloudWatchClient, request: dict[str, Any]) -> None:
        self._client = client
        self._job = request["TrainingJobName"]
        definitions = request.get("AlgorithmSpecification", {}).get("MetricDefinitions", [])
        self._patterns = {definition["Name"]: _compiled(definition) for definition in definitions}
        self._lock = threading.Lock()  # guards the fields below
        self._new: list[MetricValue] = []
        self._last: dict[str, MetricValue] = {}

    def read(self, line: str) -> None:
        found = [value for name, pattern in self._patterns.items() if (value := _value(name, pattern, line))]
        with self._lock:
            self._new += found
            self._last |= {value.name: value for value in found}

    def publish(self) -> tuple[MetricValue, ...]:
        """Sends the new values, and returns them."""
        with self._lock:
            values, self._new = self._new, []
        for start in range(0, len(values), _MOST_VALUES):
            self._put(values[start : start + _MOST_VALUES])
        return tuple(values)

    def final(self) -> tuple[MetricValue, ...]:
        """Returns the last value of each metric that has one."""
        with self._lock:
            return tuple(self._last.values())

    def _put(self, values: list[MetricValue]) -> None:
        data: list[MetricDatumTypeDef] = [
            {
                "MetricName": value.name,
                "Dimensions": [{"Name": "TrainingJobName", "Value": self._job}],
                "Value": value.value,
                "Timestamp": datetime.fromtimestamp(value.at, UTC),
            }
            for value in values
        ]
        try:
            self._client.put_metric_data(Namespace=NAMESPACE, MetricData=data)
        except (BotoCoreError, ClientError) as error:
            _log.warning("metrics of %s were lost: %s", self._job, error)


def _compiled(definition: dict[str, str]) -> re.Pattern[str]:
    try:
        return re.compile(definition["Regex"])
    except re.error as error:
        raise JobError(
            f"The Regex of the metric {definition['Name']!r} is not a regular expression: {error}"
        ) from error


def _value(name: str, pattern: re.Pattern[str], line: str) -> MetricValue | None:
    """Returns the number that the pattern's first group finds; None if there is no such number."""
    found = pattern.search(line)
    try:
        value = float(found[1]) if found and pattern.groups else math.nan
    except (TypeError, ValueError):  # the group matched nothing, or no number
        return None
    return MetricValue(name, value, time.time()) if math.isfinite(value) else None
