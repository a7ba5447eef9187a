"""Unmodified SDK v2 programs on a QueueSession. The SDK's sleeps are the clock's ticks."""

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.aws import NO_TELEMETRY, FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from sagequeue import QueueClient
from sagequeue.errors import OverBudget, WrongRegion
from sagequeue.hooks.handlers import queue_of
from unit.sagequeue.builders.jobs import a_job, an_attempt

pytestmark = pytest.mark.usefixtures("aws")

RUNNING, COMPLETED = 3, 8


def test_a_session_in_another_region_than_its_queue_is_refused_at_once(
    queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")  # importing SDK v2 warns that there is a v3
    from sagequeue import QueueSession

    session = boto3.Session()
    with pytest.raises(WrongRegion, match="in us-west-2, but this session is in eu-west-1"):
        QueueSession(session, QueueClient("https://x.execute-api.us-west-2.amazonaws.com/v1"))
    assert queue_of(session) is None
    assert queue.calls == []


def test_fit_and_wait_shows_the_place_in_the_queue_and_the_logs_of_both_attempts(
    make_estimator: Callable[..., Any], aws: FakeAws, capsys: pytest.CaptureFixture[str]
) -> None:
    estimator = make_estimator()
    estimator.fit(job_name="resnet", logs="All")
    told = [
        "Pending - queued: position 2",
        "Pending - queued: position 1",
        "Starting - resnet-sq-1 starts",
        "attempt 1: epoch 1",
        "attempt 1: epoch 2",
        "Interrupted - stops for urgent",
        "Pending - queued: position 1",
        "Starting - resnet-sq-2 starts",
        "attempt 2: resumed",
        "attempt 2: epoch 3",
        "Completed - Completed says SageMaker",
    ]
    output = capsys.readouterr().out
    assert re.search(".*".join(map(re.escape, told)), output, re.DOTALL), output
    assert all(output.count(line) == 1 for line in told if line.startswith("attempt"))
    assert "foreign" not in output
    assert "CreateTrainingJob" not in aws.operations
    assert estimator.model_data == "s3://bucket/out/resnet-sq-2/output/model.tar.gz"


def test_fit_without_waiting_leaves_a_job_that_can_be_described_waited_for_and_stopped(
    make_estimator: Callable[..., Any], queue: FakeQueue
) -> None:
    estimator = make_estimator()
    estimator.fit(job_name="resnet", wait=False)
    job = estimator.latest_training_job
    assert job.describe()["SecondaryStatus"] == "Pending"
    job.stop()
    job.wait(logs="None")
    assert job.describe()["TrainingJobStatus"] == "Stopped"
    assert queue.cancelled == {"resnet"}


def test_waiting_without_logs_lasts_over_the_preemption(make_estimator: Callable[..., Any], clock: Clock) -> None:
    make_estimator().fit(job_name="resnet", logs="None")
    assert clock.now == COMPLETED * STAGE_SECONDS


def test_model_data_of_a_running_job_is_missing_as_ever(make_estimator: Callable[..., Any], clock: Clock) -> None:
    estimator = make_estimator()
    estimator.fit(job_name="resnet", wait=False)
    clock.now = RUNNING * STAGE_SECONDS
    with pytest.raises(KeyError, match="ModelArtifacts"):
        _ = estimator.model_data


def test_another_program_can_attach_to_a_waiting_job(
    make_estimator: Callable[..., Any], queue_session: Any, clock: Clock
) -> None:
    make_estimator().fit(job_name="resnet", wait=False)
    attached = make_estimator().attach("resnet", sagemaker_session=queue_session)
    assert clock.now == COMPLETED * STAGE_SECONDS
    assert attached.tags == [{"Key": "priority", "Value": "4"}]
    assert attached.model_data == "s3://bucket/out/resnet-sq-2/output/model.tar.gz"


def test_each_of_several_estimators_on_one_boto_session_is_queued(
    make_estimator: Callable[..., Any], queue: FakeQueue, aws: FakeAws
) -> None:
    from sagequeue import QueueSession

    boto_session = boto3.Session()
    sessions = [QueueSession(boto_session, default_bucket="bucket", sagemaker_config=NO_TELEMETRY) for _ in range(2)]
    for number, session in enumerate(sessions):
        make_estimator(sagemaker_session=session).fit(job_name=f"job-{number}", wait=False)
    assert set(queue.requests) == {"job-0", "job-1"}
    assert "CreateTrainingJob" not in aws.operations


def test_a_refused_submission_raises_and_leaves_no_job(make_estimator: Callable[..., Any]) -> None:
    estimator = make_estimator(instance_count=3)
    with pytest.raises(OverBudget, match="more than the whole budget"):
        estimator.fit(job_name="resnet")
    assert estimator.latest_training_job is None


def test_a_job_that_sagemaker_refuses_at_launch_fails_with_the_reason(
    make_estimator: Callable[..., Any], queue: FakeQueue
) -> None:
    from sagemaker.exceptions import CapacityError, UnexpectedStatusException

    never_started = an_attempt(1, "never_started", status="", training_started_at=None)
    queue.life = [a_job("failed", "create_refused", "No such role. CapacityError?", attempts=[never_started])]
    with pytest.raises(UnexpectedStatusException, match="No such role") as caught:
        make_estimator().fit(job_name="resnet")
    assert not isinstance(caught.value, CapacityError)


def test_without_the_sdk_the_import_error_names_the_extra() -> None:
    code = "import sys; sys.modules['sagemaker'] = None; from sagequeue import QueueSession"
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)  # noqa: S603  # own code
    assert "pip install 'sagequeue[v2]'" in ended.stderr
