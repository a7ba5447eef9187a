"""The adapter reports the end of a tuning job only when its children have ended, too."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from scheduler.adapters.aws.sagemaker.rate_limited import RateLimiter
from scheduler.adapters.aws.sagemaker.tuning import SageMakerTuning
from scheduler.core.jobs.work.tuning import Trial
from scheduler.core.reconciliation.rate_limit import INTERVALS, ApiCall
from scheduler.errors.internal import AlreadyEnded, AttemptUnknown, Throttled
from support.builders.jobs import NOON
from support.builders.tuning_requests import a_tuning_request

ARN = "arn:aws:sagemaker:us-east-1:123456789012:hyper-parameter-tuning-job/sweep-sq-1"


@dataclass
class PassingClock:
    """A clock on which time passes only while somebody sleeps."""

    slept: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return NOON + timedelta(seconds=sum(self.slept))

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def clock() -> PassingClock:
    return PassingClock()


@pytest.fixture
def stubbed(clock: PassingClock) -> Iterator[tuple[SageMakerTuning, Stubber]]:
    client = boto3.client("sagemaker", region_name="eu-west-1", aws_access_key_id="any", aws_secret_access_key="any")
    with Stubber(client) as stubber:
        yield SageMakerTuning(client, RateLimiter(clock)), stubber
        stubber.assert_no_pending_responses()


def described(status: str) -> dict[str, Any]:
    return {
        "HyperParameterTuningJobName": "sweep-sq-1",
        "HyperParameterTuningJobArn": ARN,
        "HyperParameterTuningJobConfig": a_tuning_request()["HyperParameterTuningJobConfig"],
        "HyperParameterTuningJobStatus": status,
        "CreationTime": NOON,
        "LastModifiedTime": NOON + timedelta(minutes=5),
        "TrainingJobStatusCounters": {},
        "ObjectiveStatusCounters": {},
    }


def page(*statuses: str, **more: Any) -> dict[str, Any]:
    children = [
        {
            "TrainingJobName": f"sweep-sq-1-{number:03}-0123abcd",
            "TrainingJobArn": f"arn:aws:sagemaker:us-east-1:123456789012:training-job/child-{number}",
            "CreationTime": NOON,
            "TrainingEndTime": NOON + timedelta(minutes=1),
            "TrainingJobStatus": status,
            "TunedHyperParameters": {},
        }
        for number, status in enumerate(statuses)
    ]
    return {"TrainingJobSummaries": children} | more


def test_a_running_tuning_job_is_described_without_its_children(stubbed: tuple[SageMakerTuning, Stubber]) -> None:
    tuning, stubber = stubbed
    stubber.add_response("describe_hyper_parameter_tuning_job", described("InProgress"))
    seen = tuning.describe("sweep-sq-1")
    assert (seen.status, seen.secondary_status, seen.is_terminal) == ("InProgress", "Training", False)


@pytest.mark.parametrize("status", ["Stopped", "Completed", "Failed"])
def test_a_tuning_job_has_not_ended_before_its_last_child(
    stubbed: tuple[SageMakerTuning, Stubber], status: str
) -> None:
    tuning, stubber = stubbed
    stubber.add_response("describe_hyper_parameter_tuning_job", described(status))
    stubber.add_response("list_training_jobs_for_hyper_parameter_tuning_job", page("Completed", NextToken="more"))
    stubber.add_response("list_training_jobs_for_hyper_parameter_tuning_job", page("Stopping"))
    seen = tuning.describe("sweep-sq-1")
    assert (seen.status, seen.is_terminal) == ("Stopping", False)
    assert seen.message == "1 of its training jobs have not ended"


def test_the_end_reports_every_trial(stubbed: tuple[SageMakerTuning, Stubber]) -> None:
    tuning, stubber = stubbed
    stubber.add_response("describe_hyper_parameter_tuning_job", described("Stopped"))
    stubber.add_response("list_training_jobs_for_hyper_parameter_tuning_job", page("Completed", "Stopped"))
    ended_at = NOON + timedelta(minutes=1)
    seen = tuning.describe("sweep-sq-1")
    assert seen.is_terminal
    assert seen.trials == (Trial("Completed", ended_at), Trial("Stopped", ended_at))


def test_each_page_of_trials_waits_for_its_turn(stubbed: tuple[SageMakerTuning, Stubber], clock: PassingClock) -> None:
    tuning, stubber = stubbed
    stubber.add_response("describe_hyper_parameter_tuning_job", described("Completed"))
    for more in ({"NextToken": "2"}, {"NextToken": "3"}, {}):
        stubber.add_response("list_training_jobs_for_hyper_parameter_tuning_job", page("Completed", **more))
    assert len(tuning.describe("sweep-sq-1").trials) == 3
    assert clock.slept == [INTERVALS[ApiCall.LIST_TRIALS]] * 2


def test_a_throttled_list_slows_down_the_next_one(
    stubbed: tuple[SageMakerTuning, Stubber], clock: PassingClock
) -> None:
    tuning, stubber = stubbed
    stubber.add_response("describe_hyper_parameter_tuning_job", described("Completed"))
    stubber.add_client_error(
        "list_training_jobs_for_hyper_parameter_tuning_job", "ThrottlingException", "Rate exceeded"
    )
    with pytest.raises(Throttled):
        tuning.describe("sweep-sq-1")
    stubber.add_response("describe_hyper_parameter_tuning_job", described("Completed"))
    stubber.add_response("list_training_jobs_for_hyper_parameter_tuning_job", page("Completed"))
    assert tuning.describe("sweep-sq-1").is_terminal
    (wait,) = clock.slept
    assert wait >= INTERVALS[ApiCall.LIST_TRIALS]


def test_errors_are_those_of_training_jobs(stubbed: tuple[SageMakerTuning, Stubber]) -> None:
    tuning, stubber = stubbed
    stubber.add_client_error(
        "describe_hyper_parameter_tuning_job", "ResourceNotFound", "Amazon SageMaker can't find a tuning job"
    )
    with pytest.raises(AttemptUnknown):
        tuning.describe("sweep-sq-1")


def test_a_stop_after_the_end_is_no_stop(stubbed: tuple[SageMakerTuning, Stubber]) -> None:
    tuning, stubber = stubbed
    refused = "The request was rejected because the hyperparameter tuning job is in status Completed."
    stubber.add_client_error("stop_hyper_parameter_tuning_job", "ValidationException", refused)
    with pytest.raises(AlreadyEnded):
        tuning.stop("sweep-sq-1")
