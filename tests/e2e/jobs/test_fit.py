"""The calls of SDK v2 after `fit`: wait, read logs, describe, stop, attach."""

from typing import TYPE_CHECKING

import pytest

from support.deployed.container_requests import body
from support.deployed.estimators import digits_estimator
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

if TYPE_CHECKING:
    from sagequeue import QueueSession


def test_fit_waits_prints_the_logs_and_knows_the_model(
    queue_session: "QueueSession", capsys: pytest.CaptureFixture[str]
) -> None:
    estimator = digits_estimator(queue_session, "awaited", priority=0, epochs=3, epoch_seconds=0)
    estimator.fit(job_name="awaited")
    output = capsys.readouterr().out
    assert "epoch 3/3: accuracy" in output
    assert "Training job completed" in output
    assert estimator.model_data.endswith("/awaited-sq-1/output/model.tar.gz")


def test_a_queued_job_is_described_as_in_progress_under_its_own_name_and_can_be_stopped(
    queue_session: "QueueSession", rest_api: RestApi
) -> None:
    rest_api.submit(body("in-front", "sleep 300", instances=2))
    eventually(lambda: rest_api.job("in-front"), lambda job: job["state"] == "running")
    estimator = digits_estimator(queue_session, "behind", priority=0, epochs=3)
    estimator.fit(wait=False, job_name="behind")
    described = estimator.latest_training_job.describe()
    assert (described["TrainingJobName"], described["TrainingJobStatus"]) == ("behind", "InProgress")
    assert described["SecondaryStatus"] == "Pending"
    estimator.latest_training_job.stop()
    eventually(lambda: rest_api.job("behind"), lambda job: job["state"] == "stopped")
    rest_api.cancel("in-front")


def test_attach_finds_a_finished_job_by_its_own_name(queue_session: "QueueSession") -> None:
    from sagemaker.pytorch import PyTorch

    estimator = digits_estimator(queue_session, "attached", priority=6, epochs=1, epoch_seconds=0)
    estimator.fit(job_name="attached", logs="None")
    attached = PyTorch.attach("attached", sagemaker_session=queue_session)
    assert attached.model_data == estimator.model_data
    assert {"Key": "priority", "Value": "6"} in attached.tags
