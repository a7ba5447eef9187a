"""Publishes a host's utilization to CloudWatch, as SageMaker does while a job trains.

This machine needs no GPU. A script may report the utilization of imaginary GPUs in a file. By default, the CPU's
utilization is published as that of the GPUs.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_cloudwatch.type_defs import DimensionTypeDef, MetricDatumTypeDef

NAMESPACE = "/aws/sagemaker/TrainingJobs"
_GPU_METRICS = ("GPUUtilization", "GPUMemoryUtilization")

# SageMaker's API does not report an instance's number of GPUs. Its GPU metrics are at most 100 for each GPU.
_GPU_FAMILIES = frozenset({
    "p2", "p3", "p3dn", "p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200",
    "g4dn", "g5", "g6", "g6e", "g7", "g7e",
})  # fmt: skip
# Types with several GPUs (g7 is assumed to be like g7e). Trainium has none here: AWS does not document its metrics.
_GPU_COUNTS = {
    "p2.8xlarge": 8, "p2.16xlarge": 16,
    "p3.8xlarge": 4, "p3.16xlarge": 8, "p3dn.24xlarge": 8,
    "p4d.24xlarge": 8, "p4de.24xlarge": 8,
    "p5.48xlarge": 8, "p5e.48xlarge": 8, "p5en.48xlarge": 8,
    "p6-b200.48xlarge": 8, "p6-b300.48xlarge": 8, "p6e-gb200.36xlarge": 4,
    "g4dn.12xlarge": 4,
    "g5.12xlarge": 4, "g5.24xlarge": 4, "g5.48xlarge": 8,
    "g6.12xlarge": 4, "g6.24xlarge": 4, "g6.48xlarge": 8,
    "g6e.12xlarge": 4, "g6e.24xlarge": 4, "g6e.48xlarge": 8,
    "g7.12xlarge": 2, "g7.24xlarge": 4, "g7.48xlarge": 8,
    "g7e.12xlarge": 2, "g7e.24xlarge": 4, "g7e.48xlarge": 8,
}  # fmt: skip

_log = logging.getLogger(__name__)


class HostMetrics:
    """Publishes the metrics of one host. `read` returns the usage since the last call, and `report` is the script's
    file.

    A failed call loses a minute of metrics but never fails the job.
    """

    def __init__(
        self, client: CloudWatchClient, host: str, gpus: int, read: Callable[[], dict[str, float]], report: Path
    ) -> None:
        self._client = client
        self._host = host
        self._gpus = gpus
        self._read = read
        self._report = report

    def publish(self) -> None:
        used = self._read()
        if used:
            self._put(used | self._gpu_metrics(used["CPUUtilization"]))

    def _gpu_metrics(self, cpu: float) -> dict[str, float]:
        """Returns the GPU metrics, which are at most 100 for each GPU."""
        if not self._gpus:
            return {}
        default = dict.fromkeys(_GPU_METRICS, min(100.0, cpu))
        return {name: self._gpus * share for name, share in (default | self._reported()).items()}

    def _reported(self) -> dict[str, float]:
        """Returns the script's report about one GPU, in percent. Ignores invalid values."""
        try:
            content = json.loads(self._report.read_text())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            _log.warning("%s cannot be read: %s", self._report, error)
            return {}
        shares = content if isinstance(content, dict) else {}
        return {name: float(shares[name]) for name in _GPU_METRICS if _is_percentage(shares.get(name))}

    def _put(self, values: dict[str, float]) -> None:
        host: DimensionTypeDef = {"Name": "Host", "Value": self._host}
        data: list[MetricDatumTypeDef] = [
            {"MetricName": name, "Dimensions": [host], "Value": value, "Unit": "Percent"}
            for name, value in values.items()
        ]
        try:
            self._client.put_metric_data(Namespace=NAMESPACE, MetricData=data)
        except (BotoCoreError, ClientError) as error:
            _log.warning("metrics of %s were lost: %s", self._host, error)


def gpus(instance_type: str) -> int:
    """Returns the number of GPUs: 8 for `ml.p4d.24xlarge`, 0 for a type without GPUs."""
    name = instance_type.removeprefix("ml.")
    return _GPU_COUNTS.get(name, 1) if name.partition(".")[0] in _GPU_FAMILIES else 0


def _is_percentage(value: object) -> bool:
    return isinstance(value, (int, float)) and 0 <= value <= 100
