"""A job's handle while the job waits, runs, is preempted for `urgent`, runs again and completes."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from sagequeue import QueueClient
from sagequeue.errors import AlreadyFinished, JobFailed, StillRunning, UnknownJob
from sagequeue.submission.queued_job import QueuedJob
from support.builders.processing_requests import a_processing_request
from support.builders.tuning_requests import a_tuning_request
from unit.sagequeue.builders.jobs import ARN, a_job, a_request

TRIES = 6  # of one call
PENDING, RUNNING, PREEMPTED, SECOND_ATTEMPT, COMPLETED = 0, 3, 5, 7, 8


@pytest.fixture
def job(client: QueueClient, aws: FakeAws) -> QueuedJob:
    client.submit(a_request())
    return QueuedJob(client, "resnet", boto3.Session())


def reach(stage: int, clock: Clock) -> None:
    clock.now = stage * STAGE_SECONDS


def test_a_waiting_job_has_a_place_a_reason_and_no_real_name(job: QueuedJob) -> None:
    assert (job.name, job.arn, job.state) == ("resnet", ARN + "resnet", "pending")
    assert (job.position, job.reason, job.real_name) == (2, "because of waits_for_budget", None)


def test_a_handle_reads_current_values(job: QueuedJob, clock: Clock) -> None:
    reach(RUNNING, clock)
    assert (job.state, job.position, job.real_name) == ("running", None, "resnet-sq-1")
    reach(SECOND_ATTEMPT, clock)
    assert (job.real_name, [attempt["outcome"] for attempt in job.attempts]) == ("resnet-sq-2", ["preempted", None])


def test_a_description_has_the_jobs_own_name(job: QueuedJob, clock: Clock) -> None:
    assert job.describe()["SecondaryStatus"] == "Pending"
    assert job.model_artifacts is None
    reach(COMPLETED, clock)
    assert job.describe()["TrainingJobName"] == "resnet"
    assert job.model_artifacts == "s3://bucket/out/resnet-sq-2/output/model.tar.gz"


def test_waiting_prints_nothing_that_a_terminal_obeys(
    job: QueuedJob, queue: FakeQueue, capsys: pytest.CaptureFixture[str]
) -> None:
    queue.life = [a_job("completed", "completed", "\x1b[2J")]
    queue.life = [a_job("pending", "waits_for_budget", "\x1b[2J"), *queue.life]
    job.wait(logs=False)
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert r"\x1b[2J" in printed


@pytest.mark.parametrize("wait", [lambda job: job.wait(logs=False), QueuedJob.result])
def test_after_waiting_no_session_shows_an_answer_from_before_the_end(
    job: QueuedJob, hooked: boto3.Session, clock: Clock, wait: Callable[[QueuedJob], object]
) -> None:
    clock.now = COMPLETED * STAGE_SECONDS - 1
    sagemaker = hooked.client("sagemaker")
    assert sagemaker.describe_training_job(TrainingJobName="resnet")["TrainingJobStatus"] == "InProgress"
    clock.now += 1
    wait(job)
    assert sagemaker.describe_training_job(TrainingJobName="resnet")["TrainingJobStatus"] == "Completed"


def test_waiting_prints_everything_in_order_and_once(job: QueuedJob, capsys: pytest.CaptureFixture[str]) -> None:
    assert job.wait()["state"] == "completed"
    assert capsys.readouterr().out.splitlines() == [
        "--- queued: position 2, priority 4: because of waits_for_budget",
        "--- queued: position 1, priority 4: because of waits_for_budget",
        "--- resnet-sq-1 starts",
        "attempt 1: epoch 1",
        "attempt 1: epoch 2",
        "--- resnet-sq-1: preempted for urgent; the job resumes at its next turn",
        "--- queued: position 1, priority 4: because of waits_for_budget",
        "--- resnet-sq-2 starts",
        "attempt 2: resumed",
        "attempt 2: epoch 3",
        "--- resnet-sq-2: completed",
        "--- Completed: Training job completed",
    ]


def test_waiting_without_the_log_reads_none(job: QueuedJob, aws: FakeAws, capsys: pytest.CaptureFixture[str]) -> None:
    job.wait(logs=False)
    assert "epoch" not in capsys.readouterr().out
    assert aws.calls == []


@pytest.mark.parametrize("wait", [QueuedJob.wait, QueuedJob.result, QueuedJob.wait_until_running])
def test_waiting_goes_on_while_the_queue_does_not_answer_for_minutes(
    job: QueuedJob, queue: FakeQueue, capsys: pytest.CaptureFixture[str], wait: Callable[[QueuedJob], object]
) -> None:
    queue.overtaking = [lambda: queue.faults.extend([(503, {})] * TRIES * 3), lambda: None]
    assert wait(job)
    assert capsys.readouterr().err.count("resnet: no answer from the queue; asking again for up to 15 minutes: ") == 1


def test_waiting_has_an_end_that_leaves_the_job_alone(job: QueuedJob, queue: FakeQueue, clock: Clock) -> None:
    with pytest.raises(StillRunning, match="sagequeue cancel resnet"):
        job.wait(timeout=60)
    assert clock.now == 60
    assert queue.cancelled == set()


def test_a_job_that_has_ended_is_not_reported_as_running_when_the_time_is_over(
    job: QueuedJob, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    reach(COMPLETED, clock)
    assert job.wait(timeout=0)["state"] == "completed"
    assert capsys.readouterr().out.splitlines()[-1] == "--- Completed: Training job completed"


def test_an_interrupted_wait_prints_how_to_continue_and_keeps_the_job(
    job: QueuedJob, queue: FakeQueue, clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(clock, "sleep", interrupt)
    with pytest.raises(KeyboardInterrupt):
        job.wait()
    assert "`sagequeue logs --follow resnet`; to stop it: `sagequeue cancel resnet`" in capsys.readouterr().out
    assert queue.cancelled == set()


def test_waiting_until_it_runs_gives_the_real_name(job: QueuedJob, clock: Clock) -> None:
    assert job.wait_until_running() == "resnet-sq-1"
    assert clock.now == RUNNING * STAGE_SECONDS


def test_waiting_until_it_runs_has_an_end_too(job: QueuedJob) -> None:
    with pytest.raises(StillRunning):
        job.wait_until_running(timeout=30)


def test_a_job_that_ended_without_an_attempt_never_ran(job: QueuedJob) -> None:
    job.stop()
    with pytest.raises(JobFailed, match="resnet is stopped: because of cancelled"):
        job.wait_until_running()


def test_logs_print_the_existing_lines(job: QueuedJob, clock: Clock) -> None:
    reach(RUNNING, clock)
    lines = [line.text for line in job.logs() if not line.is_marker]
    assert lines == ["attempt 1: epoch 1", "attempt 1: epoch 2"]


def test_followed_logs_go_over_the_preemption(job: QueuedJob) -> None:
    lines = [line.text for line in job.logs(follow=True) if not line.is_marker]
    assert lines == ["attempt 1: epoch 1", "attempt 1: epoch 2", "attempt 2: resumed", "attempt 2: epoch 3"]


def test_the_result_of_a_completed_job_is_its_description(job: QueuedJob) -> None:
    assert job.result()["TrainingJobStatus"] == "Completed"


@pytest.mark.parametrize(
    ("kind", "noun", "request_"),
    [
        ("processing", "ProcessingJob", a_processing_request("work")),
        ("tuning", "HyperParameterTuningJob", a_tuning_request("work")),
    ],
)
def test_a_job_of_another_kind_is_described_by_its_own_call(
    client: QueueClient, queue: FakeQueue, kind: str, noun: str, request_: dict[str, Any]
) -> None:
    queue.life = [a_job("completed", "completed", kind=kind)]
    client.submit(request_)
    job = QueuedJob(client, "work", boto3.Session())
    result = job.result()
    assert (result[f"{noun}Name"], result[f"{noun}Status"]) == ("work", "Completed")
    assert job.model_artifacts is None


def test_a_failed_job_has_no_result(job: QueuedJob, queue: FakeQueue) -> None:
    queue.life = [a_job("failed", "create_refused", "No such role")]
    with pytest.raises(JobFailed, match="resnet is failed: No such role"):
        job.result()


def test_a_job_can_be_stopped_but_not_after_its_end(job: QueuedJob, queue: FakeQueue, clock: Clock) -> None:
    job.stop()
    assert (queue.cancelled, job.state) == ({"resnet"}, "stopped")
    queue.cancelled.clear()
    reach(COMPLETED, clock)
    with pytest.raises(AlreadyFinished):
        job.stop()


def test_a_job_that_was_never_submitted_is_unknown(client: QueueClient) -> None:
    with pytest.raises(UnknownJob):
        _ = QueuedJob(client, "other", boto3.Session()).state
