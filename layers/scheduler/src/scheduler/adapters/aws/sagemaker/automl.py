"""Sends requests about AutoML jobs to SageMaker. The queue never creates such jobs."""

from typing import TYPE_CHECKING, Any, cast

from scheduler.adapters.aws.sagemaker.errors import lookup_error, translated_errors
from scheduler.adapters.aws.sagemaker.tags import with_tags

if TYPE_CHECKING:
    from mypy_boto3_sagemaker import SageMakerClient


class SageMakerAutoML:
    """Implements the port `JobService` for AutoML jobs of both versions of the API: V2 also describes older jobs."""

    def __init__(self, client: "SageMakerClient") -> None:
        self._client = client

    def describe_any(self, name: str) -> dict[str, Any]:
        with translated_errors(lookup_error):
            answer = cast(dict[str, Any], self._client.describe_auto_ml_job_v2(AutoMLJobName=name))
            return with_tags(self._client, answer, answer["AutoMLJobArn"])

    def stop(self, name: str, /) -> None:
        with translated_errors(lookup_error):
            self._client.stop_auto_ml_job(AutoMLJobName=name)
