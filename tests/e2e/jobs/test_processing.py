"""A processor of SDK v2 waits in the queue, runs its script, is preempted only by permission, and shows its log."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from mypy_boto3_sagemaker import SageMakerClient

from support.deployed.container_requests import BUCKET, ROLE
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

if TYPE_CHECKING:
    from sagequeue import QueueSession


def request(name: str, command: str, priority: int = 0, *, may_preempt: bool = False) -> dict[str, Any]:
    tags = {"priority": str(priority), **({"queue:never-preempt": "false"} if may_preempt else {})}
    return {
        "ProcessingJobName": name,
        "RoleArn": ROLE,
        "AppSpecification": {"ImageUri": "image", "ContainerEntrypoint": ["/bin/sh", "-c", command]},
        "ProcessingResources": {
            "ClusterConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1}
        },
        "Tags": [{"Key": key, "Value": value} for key, value in tags.items()],
    }


def test_the_example_waits_in_the_queue_and_runs_its_script(
    queue_session: "QueueSession", rest_api: RestApi, capsys: pytest.CaptureFixture[str]
) -> None:
    from examples.processing.job import result, submit  # imports SDK v2

    rest_api.submit(request("processing-in-front", "sleep 300"))
    eventually(lambda: rest_api.job("processing-in-front"), lambda job: job["state"] == "running")
    processor = submit(queue_session, "counted")
    assert rest_api.job("counted")["state"] == "pending"
    assert processor.latest_job.describe()["ProcessingJobStatus"] == "InProgress"
    rest_api.cancel("processing-in-front")
    location, content = result(processor)
    assert rest_api.job("counted")["state"] == "completed"
    assert "counted 1797 images" in capsys.readouterr().out
    assert location == f"s3://{BUCKET}/counted/counts.json"
    assert sum(json.loads(content).values()) == 1797


def test_a_job_is_preempted_only_if_its_user_allows_it(rest_api: RestApi, sagemaker: SageMakerClient) -> None:
    rest_api.submit(request("restartable", "sleep 10", may_preempt=True))
    eventually(lambda: rest_api.job("restartable"), lambda job: job["state"] == "running")
    rest_api.submit(request("urgent-processing", "true", priority=5))
    eventually(lambda: rest_api.job("urgent-processing"), lambda job: job["state"] == "completed")
    stopped = sagemaker.describe_processing_job(ProcessingJobName="restartable-sq-1")
    assert stopped["ProcessingJobStatus"] == "Stopped"
    job = eventually(lambda: rest_api.job("restartable"), lambda job: job["state"] == "completed")
    assert [attempt["outcome"] for attempt in job["attempts"]] == ["preempted", "completed"]
