"""Sends requests about training jobs to SageMaker, and translates its answers and errors into the queue's terms."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from itertools import islice
from math import isfinite, nan
from typing import TYPE_CHECKING, Any, cast

from scheduler.adapters.aws.sagemaker.errors import any_error, create_error, lookup_error, translated_errors, utc
from scheduler.adapters.aws.sagemaker.tags import with_tags
from scheduler.core.jobs.attempt import ENDED_POOLS, TERMINAL_STATUSES, Observation
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.reason import bounded
from scheduler.core.reconciliation.children import tuning_job_of
from scheduler.core.reconciliation.listed_job import ListedJob, ListPage
from scheduler.core.requests.instances import instances_of, selected_of
from scheduler.core.warm_pools.warm_pool import GONE, PoolObservation
from scheduler.errors import internal

if TYPE_CHECKING:
    from mypy_boto3_sagemaker import SageMakerClient

#: SageMaker's limits on MetricDefinitions, so that a job's record stays small.
_MOST_METRICS = 40
_LONGEST_METRIC_NAME = 255
#: The most stretches of work of one attempt to consider.
_MOST_STRETCHES = 100
#: Until its end, a stopped program may train, and SageMaker uploads its results.
_WORKING = frozenset({"Training", "Uploading", "Stopping"})


class SageMakerTraining:
    """Implements the port `TrainingService` with SageMaker's API."""

    def __init__(self, client: "SageMakerClient") -> None:
        self._client = client

    def create(self, request: Mapping[str, object]) -> None:
        with translated_errors(lambda error: create_error(error, request)):
            self._client.create_training_job(**cast(dict[str, Any], request))

    def describe(self, attempt_name: str) -> Observation:
        return _observation(self._description(attempt_name))

    def describe_any(self, name: str) -> dict[str, Any]:
        answer = self._description(name)
        with translated_errors(lookup_error):
            return with_tags(self._client, answer, answer["TrainingJobArn"])

    def list_newest(self, created_before: datetime | None, token: str | None) -> ListPage:
        # No filter by name or status: SageMaker may filter after it cuts a page, so a filter saves no pages. The list
        # is read newest first, because SageMaker may apply a filter by earliest time after cutting a page, too
        # (aws-facts 2.61, 2.68).
        request: dict[str, Any] = {"SortBy": "CreationTime", "SortOrder": "Descending", "MaxResults": 100}
        request |= {"CreationTimeBefore": created_before} if created_before else {}
        request |= {"NextToken": token} if token else {}
        with translated_errors(any_error):
            answer = self._client.list_training_jobs(**request)
        listed = [
            ListedJob(
                summary["TrainingJobName"],
                summary["TrainingJobStatus"],
                utc(summary["CreationTime"]),
                utc(summary.get("LastModifiedTime", summary["CreationTime"])),
                _keeps_instances(cast(dict[str, Any], summary)),
            )
            for summary in answer["TrainingJobSummaries"]
        ]
        return ListPage(tuple(listed), answer.get("NextToken"))

    def pool(self, attempt_name: str) -> PoolObservation:
        try:
            answer = self._description(attempt_name)
        except internal.AttemptUnknown:
            return GONE
        pool = answer.get("WarmPoolStatus", {})
        return PoolObservation(
            is_held=answer["TrainingJobStatus"] not in TERMINAL_STATUSES or _keeps_instances(answer),
            reused_by=pool.get("ReusedByJob", ""),
            retained_seconds=pool.get("ResourceRetainedBillableTimeInSeconds", 0),
        )

    def held_by(self, name: str) -> Demand:
        try:
            answer = self._description(name)
        except internal.AttemptUnknown:
            return NOTHING
        if answer["TrainingJobStatus"] in TERMINAL_STATUSES and not _keeps_instances(answer):
            return NOTHING
        return instances_of(answer.get("ResourceConfig", {}))

    def release_pool(self, attempt_name: str) -> None:
        with translated_errors(lookup_error):
            self._client.update_training_job(
                TrainingJobName=attempt_name, ResourceConfig={"KeepAlivePeriodInSeconds": 0}
            )

    def stop(self, attempt_name: str) -> None:
        # AWS does not document whether SageMaker refuses a second stop; the job stops in either case (aws-facts 2.16).
        with suppress(internal.AlreadyStopping), translated_errors(lookup_error):
            self._client.stop_training_job(TrainingJobName=attempt_name)

    def _description(self, name: str) -> dict[str, Any]:
        with translated_errors(lookup_error):
            return cast(dict[str, Any], self._client.describe_training_job(TrainingJobName=name))


def _observation(answer: dict[str, Any]) -> Observation:
    transitions = answer.get("SecondaryStatusTransitions") or [{}]
    return Observation(
        status=answer["TrainingJobStatus"],
        secondary_status=answer["SecondaryStatus"],
        modified_at=utc(answer.get("LastModifiedTime") or answer["CreationTime"]),
        message=transitions[-1].get("StatusMessage", ""),
        failure_reason=answer.get("FailureReason", ""),
        training_started_at=utc(answer["TrainingStartTime"]) if "TrainingStartTime" in answer else None,
        training_since=utc(transitions[-1]["StartTime"]) if transitions[-1].get("Status") == "Training" else None,
        ended_at=utc(answer["TrainingEndTime"]) if "TrainingEndTime" in answer else None,
        interruptions=sum(transition.get("Status") == "Interrupted" for transition in transitions),
        stretches=_stretches(transitions) if answer["TrainingJobStatus"] in TERMINAL_STATUSES else (),
        keeps_instances=_keeps_instances(answer),
        pool_reused=answer.get("WarmPoolStatus", {}).get("Status") == "Reused",
        billable_seconds=answer.get("BillableTimeInSeconds"),
        selected=selected_of(answer.get("ResourceConfig", {})),
        pool_refused=_refuses_pool(answer),
        created_at=utc(answer["CreationTime"]),
        model_artifacts=(answer.get("ModelArtifacts") or {}).get("S3ModelArtifacts", ""),
        metrics=tuple(islice(_metrics(answer), _MOST_METRICS)),
        tuning_job=tuning_job_of(answer),
    )


def _stretches(transitions: Iterable[dict[str, Any]]) -> tuple[float, ...]:
    """Returns the seconds of work up to each interruption, and after the last; the latest if there are many."""
    stretches = [0.0]
    for transition in transitions:
        if transition.get("Status") == "Interrupted":
            stretches.append(0.0)
        elif transition.get("Status") in _WORKING and "EndTime" in transition:
            stretches[-1] += (utc(transition["EndTime"]) - utc(transition["StartTime"])).total_seconds()
    return tuple(stretches[-_MOST_STRETCHES:])


def _metrics(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for metric in answer.get("FinalMetricDataList") or ():
        if isfinite(metric.get("Value", nan)):  # JSON cannot represent other values
            yield bounded(metric["MetricName"], _LONGEST_METRIC_NAME), str(metric["Value"])


def _keeps_instances(answer: dict[str, Any]) -> bool:
    pool = answer.get("WarmPoolStatus", {}).get("Status")
    return pool is not None and pool not in ENDED_POOLS


def _refuses_pool(answer: dict[str, Any]) -> bool:
    """Returns whether SageMaker refused the pool: it then ends the pool at once and bills nothing (aws-facts 2.53)."""
    pool = answer.get("WarmPoolStatus", {})
    return pool.get("Status") == "Terminated" and not pool.get("ResourceRetainedBillableTimeInSeconds")
