"""A processor of SDK v2 waits in the queue, runs its script, is preempted only by permission, and shows its log."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mypy_boto3_sagemaker import SageMakerClient

from support.deployed.container_requests import BUCKET, ROLE
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

if TYPE_CHECKING:
    from sagequeue import QueueSession

SCRIPT = """
import os, pathlib
pathlib.Path(os.environ["SM_PROCESSING_DIR"], "output", "found.txt").write_text("three rows")
print("found three rows", flush=True)
"""


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


@pytest.fixture(scope="module")
def processor(queue_session: "QueueSession") -> Any:
    from sagemaker.processing import ScriptProcessor

    return ScriptProcessor(
        image_uri="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
        command=["python3"],
        role="SageMakerLocalRole",
        instance_count=1,
        instance_type="ml.m5.large",
        sagemaker_session=queue_session,
    )


def test_a_processor_waits_in_the_queue_and_runs_its_script(
    processor: Any, rest_api: RestApi, queue_session: "QueueSession", tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from sagemaker.processing import ProcessingOutput

    rest_api.submit(request("in-front", "sleep 300"))
    eventually(lambda: rest_api.job("in-front"), lambda job: job["state"] == "running")
    script = tmp_path / "count.py"
    script.write_text(SCRIPT)
    found = ProcessingOutput(source="/opt/ml/processing/output", destination=f"s3://{BUCKET}/found")
    processor.run(code=str(script), outputs=[found], job_name="counted", wait=False)
    assert rest_api.job("counted")["state"] == "pending"
    assert processor.latest_job.describe()["ProcessingJobStatus"] == "InProgress"
    rest_api.cancel("in-front")
    processor.latest_job.wait(logs=True)
    assert rest_api.job("counted")["state"] == "completed"
    assert "found three rows" in capsys.readouterr().out
    written = queue_session.boto_session.client("s3").get_object(Bucket=BUCKET, Key="found/found.txt")
    assert written["Body"].read() == b"three rows"


def test_a_job_is_preempted_only_if_its_user_allows_it(rest_api: RestApi, sagemaker: SageMakerClient) -> None:
    rest_api.submit(request("restartable", "sleep 10", may_preempt=True))
    eventually(lambda: rest_api.job("restartable"), lambda job: job["state"] == "running")
    rest_api.submit(request("urgent", "true", priority=5))
    eventually(lambda: rest_api.job("urgent"), lambda job: job["state"] == "completed")
    stopped = sagemaker.describe_processing_job(ProcessingJobName="restartable-sq-1")
    assert stopped["ProcessingJobStatus"] == "Stopped"
    job = eventually(lambda: rest_api.job("restartable"), lambda job: job["state"] == "completed")
    assert [attempt["outcome"] for attempt in job["attempts"]] == ["preempted", "completed"]
