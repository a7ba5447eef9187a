"""Tells CloudWatch how busy a host is, as SageMaker does while a job trains.

There is no GPU here: unless the script says in a file how busy its GPUs would be, they are as busy as the CPU.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_cloudwatch.type_defs import DimensionTypeDef, MetricDatumTypeDef

NAMESPACE = "/aws/sagemaker/TrainingJobs"
_GPU_METRICS = ("GPUUtilization", "GPUMemoryUtilization")

_log = logging.getLogger(__name__)


class Gauge:
    """One host's metrics. `read` says what it used since it was last asked, `script` is the file of its script.

    A minute that cannot be told is lost, never the job.
    """

    def __init__(
        self, client: CloudWatchClient, host: str, gpus: int, read: Callable[[], dict[str, float]], script: Path
    ) -> None:
        self._client = client
        self._host = host
        self._gpus = gpus
        self._read = read
        self._script = script

    def tell(self) -> None:
        used = self._read()
        if used:
            self._put(used | self._gpu_metrics(used["CPUUtilization"]))

    def _gpu_metrics(self, cpu: float) -> dict[str, float]:
        """Each GPU adds up to 100."""
        if not self._gpus:
            return {}
        stand_in = dict.fromkeys(_GPU_METRICS, min(100.0, cpu))
        return {name: self._gpus * share for name, share in (stand_in | self._scripted()).items()}

    def _scripted(self) -> dict[str, float]:
        """What the script says of one GPU, in percent. What makes no sense is passed over."""
        try:
            said = json.loads(self._script.read_text())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            _log.warning("%s cannot be read: %s", self._script, error)
            return {}
        shares = said if isinstance(said, dict) else {}
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


def _is_percentage(value: object) -> bool:
    return isinstance(value, (int, float)) and 0 <= value <= 100
