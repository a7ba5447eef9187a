"""Sends requests about processing jobs to SageMaker, and translates its answers into the queue's terms."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from scheduler.adapters.aws.sagemaker.errors import any_error, create_error, lookup_error, translated_errors, utc
from scheduler.adapters.aws.sagemaker.tags import with_tags
from scheduler.core.jobs.attempt import TERMINAL_STATUSES, Observation
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.reconciliation.listed_job import ListedJob, ListPage
from scheduler.core.requests.processing.reading import held_in, runtime_of
from scheduler.errors import internal

if TYPE_CHECKING:
    from mypy_boto3_sagemaker import SageMakerClient


class SageMakerProcessing:
    """Implements the port `ListedWorkService` with SageMaker's API for processing jobs."""

    def __init__(self, client: "SageMakerClient") -> None:
        self._client = client

    def create(self, request: Mapping[str, object]) -> None:
        with translated_errors(lambda error: create_error(error, request)):
            self._client.create_processing_job(**cast(dict[str, Any], request))

    def describe(self, attempt_name: str) -> Observation:
        return observation_in(self._description(attempt_name))

    def describe_any(self, name: str) -> dict[str, Any]:
        answer = self._description(name)
        with translated_errors(lookup_error):
            return with_tags(self._client, answer, answer["ProcessingJobArn"])

    def list_newest(self, created_before: datetime | None, token: str | None) -> ListPage:
        # As in `training.py`, filters would not save pages.
        request: dict[str, Any] = {"SortBy": "CreationTime", "SortOrder": "Descending", "MaxResults": 100}
        request |= {"CreationTimeBefore": created_before} if created_before else {}
        request |= {"NextToken": token} if token else {}
        with translated_errors(any_error):
            answer = self._client.list_processing_jobs(**request)
        listed = (
            ListedJob(
                summary["ProcessingJobName"],
                summary["ProcessingJobStatus"],
                utc(summary["CreationTime"]),
                utc(summary.get("LastModifiedTime", summary["CreationTime"])),
            )
            for summary in answer["ProcessingJobSummaries"]
        )
        return ListPage(tuple(listed), answer.get("NextToken"))

    def held_by(self, name: str) -> Demand:
        try:
            answer = self._description(name)
        except internal.AttemptUnknown:
            return NOTHING
        return NOTHING if answer["ProcessingJobStatus"] in TERMINAL_STATUSES else held_in(answer)

    def stop(self, attempt_name: str) -> None:
        with suppress(internal.AlreadyStopping), translated_errors(lookup_error):
            self._client.stop_processing_job(ProcessingJobName=attempt_name)

    def _description(self, name: str) -> dict[str, Any]:
        with translated_errors(lookup_error):
            return cast(dict[str, Any], self._client.describe_processing_job(ProcessingJobName=name))


def observation_in(answer: Mapping[str, Any]) -> Observation:
    """Returns the observation in SageMaker's description of a processing job."""
    started, ended = _moment(answer, "ProcessingStartTime"), _moment(answer, "ProcessingEndTime")
    status = answer["ProcessingJobStatus"]
    return Observation(
        status=status,
        secondary_status=secondary_status(status, started, ended, runtime_of(answer)),
        modified_at=utc(answer.get("LastModifiedTime") or answer["CreationTime"]),
        message=answer.get("ExitMessage", ""),
        failure_reason=answer.get("FailureReason", ""),
        training_started_at=started,
        ended_at=ended,
        created_at=utc(answer["CreationTime"]),
    )


def secondary_status(status: str, started: datetime | None, ended: datetime | None, max_runtime: int) -> str:
    """Returns the status that a training job would have: SageMaker reports none for processing jobs.

    A running container counts as training. A stop after the maximum run time counts as a stop by that limit.
    """
    if status == "InProgress":
        return "Training" if started else "Starting"
    ran_to_limit = started and ended and (ended - started).total_seconds() >= max_runtime
    return "MaxRuntimeExceeded" if status == "Stopped" and ran_to_limit else status


def _moment(answer: Mapping[str, Any], member: str) -> datetime | None:
    return utc(answer[member]) if member in answer else None
