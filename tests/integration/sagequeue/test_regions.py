"""The shell's session is in eu-west-1, and the queue in us-west-2: the client looks for the jobs where the queue is."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.aws import FakeAws, a_trial
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import JobQueue, QueueClient, Sweep
from sagequeue.errors import WrongRegion
from sagequeue.submission.queued_job import QueuedJob
from sagequeue.ui.server import PageServer
from unit.sagequeue.builders.jobs import a_request
from unit.sagequeue.builders.tuning import a_preempted_tuning_job


@pytest.fixture(autouse=True)
def elsewhere(client: QueueClient, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    client.submit(a_request())
    clock.now = 8 * STAGE_SECONDS  # the job has completed
    for module in ("api.transport", "hooks.handlers"):  # as if the queue's address named its region
        monkeypatch.setattr(f"sagequeue.{module}.region_of", lambda _: "us-west-2")


def test_the_command_reads_the_log_where_the_queue_is(aws: FakeAws) -> None:
    assert "attempt 2: epoch 3" in run("logs", "resnet").stdout
    assert aws.regions == {"us-west-2"}


def test_the_command_reads_the_trials_where_the_queue_is(aws: FakeAws, client: QueueClient, queue: FakeQueue) -> None:
    job = a_preempted_tuning_job()
    queue.life = [job]
    client.submit(job["request"])
    aws.trials = {"sweep-sq-1": [a_trial("sweep-sq-1-1", value=0.5)], "sweep-sq-2": []}
    assert "accuracy 0.5" in run("show", "sweep").stdout
    assert aws.regions == {"us-west-2"}


def test_a_handle_reads_its_log_and_its_result_where_the_queue_is(client: QueueClient, aws: FakeAws) -> None:
    job = QueuedJob(client, "resnet", boto3.Session())
    job.wait()
    assert "attempt 2: epoch 3" in [line.text for line in job.logs()]
    assert job.describe()["TrainingJobStatus"] == "Completed"
    assert aws.regions == {"us-west-2"}


def test_a_sweep_reads_its_logs_where_the_queue_is(client: QueueClient) -> None:
    study: Any = SimpleNamespace(study_name="digits")
    sweep = Sweep(study, lambda _: a_request(), "loss=(.*)", trials=1, queue=client)
    assert sweep._logs.meta.region_name == "us-west-2"


def test_the_page_reads_logs_metrics_and_trials_where_the_queue_is(
    client: QueueClient, aws: FakeAws, session: boto3.Session
) -> None:
    job, trials = client.get("resnet"), a_preempted_tuning_job()
    aws.trials = {"sweep-sq-1": [], "sweep-sq-2": []}
    with PageServer(client, session) as server:
        calls = server.page._calls
        calls._tails.of(job, "")
        calls._metrics.of(job, "", datetime.now(UTC))
        calls._trials.of(trials)
    assert aws.regions == {"us-west-2"}


def test_a_session_in_another_region_submits_nothing(client: QueueClient, queue: FakeQueue) -> None:
    jobs = JobQueue(client)
    with pytest.raises(WrongRegion, match="The queue is in us-west-2, but this session is in eu-west-1"):
        jobs.submit(a_request("other"))
    with pytest.raises(WrongRegion):
        jobs.map(a_request("other"), {"lr": [0.1]})
    assert [*queue.requests, *queue.arrays] == ["resnet"]
