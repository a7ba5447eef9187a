"""Runs a processing job on all its hosts: downloads inputs, runs the container's command, and uploads outputs."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_sagemaker.errors import JobError
from local_sagemaker.script_runner.cloudwatch.logs import PROCESSING_LOG_GROUP, LogStream
from local_sagemaker.script_runner.host.cluster import Node, nodes, resource_config
from local_sagemaker.script_runner.host.process import Host
from local_sagemaker.script_runner.host.sandbox import Sandbox
from local_sagemaker.script_runner.s3.tree import S3Location, download, objects, upload
from local_sagemaker.state_machine.commands import Exited, Prepared, Report, Uploaded
from local_sagemaker.state_machine.processing.job import cluster_request

if TYPE_CHECKING:  # type stubs, which only developers install
    from local_sagemaker.script_runner.training_run import RunnerConfig

_SYNC_SECONDS = 1.0
_TERMINATED = 143


@dataclass(frozen=True, slots=True)
class _RunHost:
    node: Node
    sandbox: Sandbox
    process: Host
    log: LogStream

    @property
    def message(self) -> Path:
        """The file whose content becomes the job's ExitMessage."""
        return self.sandbox.output / "message"


class ProcessingRun:
    def __init__(self, config: RunnerConfig, request: dict[str, Any], arn: str) -> None:
        self._config = config
        self._request = request
        self._arn = arn
        config.folder.mkdir(exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix=f"{request['ProcessingJobName']}-", dir=config.folder))
        self._changed = threading.Condition()  # guards the fields below; notified when a host ends
        self._may_start = True
        self._ended: list[Host] = []
        self._cluster = nodes(cluster_request(request))
        self._hosts = [self._host(node) for node in self._cluster]

    def prepare(self) -> Report:
        if "ContainerEntrypoint" not in self._request["AppSpecification"]:
            raise JobError("local_sagemaker runs scripts, not images: the request has no ContainerEntrypoint")
        for host in self._hosts:
            self._prepare_host(host)
        return Prepared()

    def run(self, _report: Callable[[Report], None]) -> Report:
        try:
            if not self._start():
                return Exited(_TERMINATED)
            while self._is_running():
                self._sync()
            self._sync()
        finally:
            self.kill()  # ends all hosts, even after an error
        return self._outcome()

    def upload(self) -> Report:
        self._upload(lambda _mode: True)
        return Uploaded()

    def clean(self) -> None:
        """Ends the processes that still run, and removes their files."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def terminate(self) -> None:
        self._signal(Host.terminate)

    def kill(self) -> None:
        self._signal(Host.kill)

    def _host(self, node: Node) -> _RunHost:
        stream = f"{self._request['ProcessingJobName']}/{node.name}-{round(time.time())}"
        log = LogStream(self._config.logs, stream, PROCESSING_LOG_GROUP)
        return _RunHost(node, Sandbox(self._folder / node.name), Host(log.write, self._host_ended), log)

    def _prepare_host(self, host: _RunHost) -> None:
        host.sandbox.make()
        for given in self._request.get("ProcessingInputs", []):
            self._download(given, host)
        for output in self._s3_outputs():
            host.sandbox.real_path(output["LocalPath"]).mkdir(parents=True, exist_ok=True)
        config = host.sandbox.real_path("/opt/ml/config")
        config.mkdir(parents=True, exist_ok=True)
        resources = resource_config(host.node, self._cluster)
        (config / "resourceconfig.json").write_text(json.dumps(resources))
        (config / "processingjobconfig.json").write_text(json.dumps({**self._request, "ProcessingJobArn": self._arn}))

    def _download(self, given: dict[str, Any], host: _RunHost) -> None:
        source = given.get("S3Input")
        if source is None or source["S3DataType"] != "S3Prefix" or source.get("S3InputMode", "File") != "File":
            raise JobError(f"Input {given['InputName']!r}: local_sagemaker reads S3 prefixes in mode File only")
        found = objects(self._config.s3, source["S3Uri"])
        if not found:
            raise JobError(f'Data download failed:No S3 objects found under S3 URL "{source["S3Uri"]}"')
        if source.get("S3DataDistributionType") == "ShardedByS3Key":
            found = found[self._cluster.index(host.node) :: len(self._cluster)]
        target = host.sandbox.real_path(source["LocalPath"])
        target.mkdir(parents=True, exist_ok=True)
        download(self._config.s3, found, target)

    def _start(self) -> bool:
        """Starts all hosts. Returns False if the run has already been stopped."""
        with self._changed:
            if not self._may_start:
                return False
            for host in self._hosts:
                host.process.start(self._command(host), self._environment(host), host.sandbox.root)
            return True

    def _command(self, host: _RunHost) -> list[str]:
        program = self._request["AppSpecification"]
        words = [*program["ContainerEntrypoint"], *program.get("ContainerArguments", [])]
        return [host.sandbox.mapped(word) for word in words]

    def _environment(self, host: _RunHost) -> dict[str, str]:
        region = self._arn.split(":")[3]
        own = {name: host.sandbox.mapped(value) for name, value in self._request.get("Environment", {}).items()}
        return {
            **os.environ,
            "PROCESSING_JOB_NAME": self._request["ProcessingJobName"],
            "PROCESSING_JOB_ARN": self._arn,
            "SM_PROCESSING_DIR": str(host.sandbox.real_path("/opt/ml/processing")),  # only in this emulator
            "AWS_REGION": region,
            "AWS_DEFAULT_REGION": region,
            "PYTHONUNBUFFERED": "1",
            "PATH": os.pathsep.join([str(Path(self._config.python).parent), os.environ.get("PATH", os.defpath)]),
            **own,
        }

    def _is_running(self) -> bool:
        """Waits briefly for all hosts to end. Returns whether any is still running."""
        with self._changed:
            return not self._changed.wait_for(lambda: len(self._ended) == len(self._hosts), _SYNC_SECONDS)

    def _host_ended(self, process: Host) -> None:
        with self._changed:
            self._ended.append(process)
            if process.exit_code != 0:
                self.kill()  # one failed host fails the job
            self._changed.notify_all()

    def _sync(self) -> None:
        for host in self._hosts:
            host.log.flush()
        self._upload(lambda mode: mode == "Continuous")

    def _upload(self, is_due: Callable[[str], bool]) -> None:
        for output in self._s3_outputs():
            if is_due(output["S3UploadMode"]):
                for host in reversed(self._hosts):  # if hosts wrote the same file, the first host's file wins
                    folder = host.sandbox.real_path(output["LocalPath"])
                    upload(self._config.s3, folder, S3Location.parse(output["S3Uri"]))

    def _s3_outputs(self) -> list[dict[str, Any]]:
        outputs = self._request.get("ProcessingOutputConfig", {}).get("Outputs", [])
        return [output["S3Output"] for output in outputs if "LocalPath" in output.get("S3Output", {})]

    def _outcome(self) -> Report:
        code = next((process.exit_code for process in self._ended if process.exit_code), 0)
        written = (host.message.read_text(errors="replace") for host in self._hosts if host.message.is_file())
        return Exited(code or 0, next(written, ""))

    def _signal(self, send: Callable[[Host], None]) -> None:
        with self._changed:
            self._may_start = False
            for host in self._hosts:
                if host.process.exit_code is None:
                    send(host.process)
