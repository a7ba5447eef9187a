"""Sends requests about hyperparameter tuning jobs to SageMaker, and translates its answers into the queue's terms."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from scheduler.adapters.aws.sagemaker.errors import create_error, lookup_error, translated_errors, utc
from scheduler.adapters.aws.sagemaker.rate_limited import RateLimiter
from scheduler.adapters.aws.sagemaker.tags import with_tags
from scheduler.core.jobs.attempt import TERMINAL_STATUSES, Observation
from scheduler.core.jobs.work.tuning import Trial
from scheduler.core.reconciliation.rate_limit import ApiCall
from scheduler.errors import internal

if TYPE_CHECKING:
    from mypy_boto3_sagemaker import SageMakerClient

#: While a tuning job runs, its trials may start or train. The queue treats the job like a training job in training.
_SECONDARY = {"InProgress": "Training"}


class SageMakerTuning:
    """Implements the port `WorkService` with SageMaker's API for tuning jobs.

    To describe an end, it reads up to five pages of trials. Each page request waits for its turn.
    """

    def __init__(self, client: "SageMakerClient", limiter: RateLimiter) -> None:
        self._client, self._limiter = client, limiter

    def create(self, request: Mapping[str, object]) -> None:
        with translated_errors(lambda error: create_error(error, request)):
            self._client.create_hyper_parameter_tuning_job(**cast(dict[str, Any], request))

    def describe(self, attempt_name: str) -> Observation:
        """Reports an end only once every trial has ended as well. Until then, the attempt counts as stopping."""
        answer = self._description(attempt_name)
        if answer["HyperParameterTuningJobStatus"] not in TERMINAL_STATUSES:
            return observation_in(answer)
        trials = tuple(self._trials(attempt_name))
        if running := sum(not trial.has_ended for trial in trials):
            message = f"{running} of its training jobs have not ended"
            return observation_in({**answer, "HyperParameterTuningJobStatus": "Stopping"}, message)
        return observation_in(answer, trials=trials)

    def describe_any(self, name: str) -> dict[str, Any]:
        answer = self._description(name)
        with translated_errors(lookup_error):
            return with_tags(self._client, answer, answer["HyperParameterTuningJobArn"])

    def stop(self, attempt_name: str) -> None:
        with suppress(internal.AlreadyStopping), translated_errors(lookup_error):
            self._client.stop_hyper_parameter_tuning_job(HyperParameterTuningJobName=attempt_name)

    def _description(self, name: str) -> dict[str, Any]:
        with translated_errors(lookup_error):
            answer = self._client.describe_hyper_parameter_tuning_job(HyperParameterTuningJobName=name)
            return cast(dict[str, Any], answer)

    def _trials(self, name: str) -> Iterator[Trial]:
        """Yields every trial.

        It does not filter by status: SageMaker may filter after it cuts a page (aws-facts 2.61).
        """
        token: str | None = ""
        while token is not None:
            page = self._limiter.in_turn(ApiCall.LIST_TRIALS, partial(self._page_of_trials, name, token))
            for trial in page["TrainingJobSummaries"]:
                ended_at = trial.get("TrainingEndTime")
                has_value = trial.get("ObjectiveStatus") == "Succeeded"
                yield Trial(trial["TrainingJobStatus"], utc(ended_at) if ended_at else None, has_value)
            token = page.get("NextToken")

    def _page_of_trials(self, name: str, token: str) -> dict[str, Any]:
        more: dict[str, Any] = {"NextToken": token} if token else {}
        with translated_errors(lookup_error):
            answer = self._client.list_training_jobs_for_hyper_parameter_tuning_job(
                HyperParameterTuningJobName=name, MaxResults=100, **more
            )
            return cast(dict[str, Any], answer)


def observation_in(answer: Mapping[str, Any], message: str = "", trials: tuple[Trial, ...] = ()) -> Observation:
    """Returns the observation in SageMaker's description of a tuning job."""
    status = answer["HyperParameterTuningJobStatus"]
    created_at = utc(answer["CreationTime"])
    ended_at = answer.get("HyperParameterTuningEndTime")
    best = answer.get("BestTrainingJob", {}).get("FinalHyperParameterTuningJobObjectiveMetric")
    return Observation(
        status=status,
        secondary_status=_SECONDARY.get(status, status),
        modified_at=utc(answer.get("LastModifiedTime") or answer["CreationTime"]),
        message=message,
        failure_reason=answer.get("FailureReason", ""),
        training_started_at=created_at,
        ended_at=utc(ended_at) if ended_at else None,
        created_at=created_at,
        metrics=((best["MetricName"], str(best["Value"])),) if best else (),
        trials=trials,
    )
