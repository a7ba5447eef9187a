"""The emulator behind real HTTP, with S3 and Logs by moto, inside the test's process."""

from __future__ import annotations

import io
import sys
import tarfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import boto3

from local_sagemaker.script_runner.runner import ScriptRunner
from local_sagemaker.script_runner.training_run import RunnerConfig
from local_sagemaker.server.emulator import Emulator
from local_sagemaker.server.http_server import Server
from local_sagemaker.server.job_store import JobStore
from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.commands import MessageSent, StateChanged

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sagemaker import SageMakerClient

REGION = "us-east-1"
KEY = "FOOBARKEY"  # of clients under moto
BUCKET = "training"
PATIENCE_SECONDS = 60
QUICK = Behaviour(rate_factor=1000, grace_seconds=30, startup=lambda _request: 0)


@dataclass
class Endpoint:
    """An emulator that starts from the state in the folder, as a restarted server does."""

    folder: Path
    behaviour: Behaviour = QUICK
    metrics_seconds: float = 60.0
    events: SimpleQueue[dict[str, Any]] = field(default_factory=SimpleQueue)

    def start(self) -> None:
        store = JobStore(self.folder / "jobs.sqlite")
        logs = boto3.client("logs", region_name=REGION)
        metrics = boto3.client("cloudwatch", region_name=REGION)
        config = RunnerConfig(self.folder / "work", sys.executable, self.s3, logs, metrics, self.metrics_seconds)
        self._runner = ScriptRunner(config)
        self._emulator = Emulator(store.restored(self.behaviour), store, self._runner, self._keep)
        self.server = Server(0, self._emulator, KEY, lambda _key: False)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        self._emulator.start()

    def _keep(self, effect: StateChanged | MessageSent) -> None:
        if isinstance(effect, StateChanged):
            self.events.put(effect.event)

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._emulator.close()
        self._runner.kill_all()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    @property
    def client(self) -> SageMakerClient:
        return boto3.client("sagemaker", region_name=REGION, endpoint_url=self.url)

    @property
    def s3(self) -> S3Client:
        return boto3.client("s3", region_name=REGION)

    def wait_for(self, name: str, *secondary_statuses: str) -> dict[str, Any]:
        """Waits for the event of such a status, and returns its detail."""
        while True:
            detail: dict[str, Any] = self.events.get(timeout=PATIENCE_SECONDS)["detail"]
            if detail["TrainingJobName"] == name and detail["SecondaryStatus"] in secondary_statuses:
                return detail

    def upload_script(self, script: str) -> str:
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz") as tar:
            member = tarfile.TarInfo("train.py")
            member.size = len(script.encode())
            tar.addfile(member, io.BytesIO(script.encode()))
        self.s3.put_object(Bucket=BUCKET, Key="source/sourcedir.tar.gz", Body=archive.getvalue())
        return f"s3://{BUCKET}/source/sourcedir.tar.gz"

    def read(self, key: str) -> bytes:
        return self.s3.get_object(Bucket=BUCKET, Key=key)["Body"].read()

    def read_archive(self, key: str) -> dict[str, str]:
        with tarfile.open(fileobj=io.BytesIO(self.read(key))) as tar:
            contents = {member.name: tar.extractfile(member) for member in tar.getmembers()}
            return {name: file.read().decode() for name, file in contents.items() if file is not None}

    def log(self, name: str, host: str = "algo-1") -> list[str]:
        """Returns the lines that the host printed."""
        logs = boto3.client("logs", region_name=REGION)
        group = "/aws/sagemaker/TrainingJobs"
        (stream,) = logs.describe_log_streams(logGroupName=group, logStreamNamePrefix=f"{name}/{host}-")["logStreams"]
        answer = logs.get_log_events(logGroupName=group, logStreamName=stream["logStreamName"], startFromHead=True)
        return [event["message"] for event in answer["events"]]


def a_request(name: str, **changes: Any) -> dict[str, Any]:
    return {
        "TrainingJobName": name,
        "RoleArn": "arn:aws:iam::000000000000:role/training",
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "OutputDataConfig": {"S3OutputPath": f"s3://{BUCKET}/out"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1},
        "StoppingCondition": {"MaxRuntimeInSeconds": 600},
        **changes,
    }


def script_mode(source: str, **hyperparameters: str) -> dict[str, str]:
    """Returns hyperparameters as the SDK writes them: JSON in strings."""
    return {"sagemaker_program": '"train.py"', "sagemaker_submit_directory": f'"{source}"', **hyperparameters}


def a_command(*words: str) -> dict[str, Any]:
    return {
        "TrainingImage": "image",
        "TrainingInputMode": "File",
        "ContainerEntrypoint": list(words),
    }


def a_channel(name: str, prefix: str, **source: Any) -> dict[str, Any]:
    location = {"S3DataType": "S3Prefix", "S3Uri": f"s3://{BUCKET}/{prefix}", **source}
    return {"ChannelName": name, "DataSource": {"S3DataSource": location}}
