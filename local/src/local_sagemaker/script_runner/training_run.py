"""Runs a job on all its hosts: prepares, trains and uploads."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_sagemaker.errors import JobError
from local_sagemaker.script_runner.cloudwatch.algorithm_metrics import AlgorithmMetrics
from local_sagemaker.script_runner.cloudwatch.logs import LogStream
from local_sagemaker.script_runner.cloudwatch.metrics import HostMetrics, gpus
from local_sagemaker.script_runner.cloudwatch.usage import Usage
from local_sagemaker.script_runner.host.cluster import Node, nodes, resource_config
from local_sagemaker.script_runner.host.process import Host
from local_sagemaker.script_runner.host.program import (
    command,
    environment,
    hyperparameters,
    require_program,
    source_archive,
    uses_torchrun,
    working_directory,
)
from local_sagemaker.script_runner.host.sandbox import DEFAULT_CHECKPOINT_PATH, Sandbox
from local_sagemaker.script_runner.host.torchrun import Torchrun, free_port, require_torch
from local_sagemaker.script_runner.s3.artifacts import upload_artifacts
from local_sagemaker.script_runner.s3.checkpoints import CheckpointSync
from local_sagemaker.script_runner.s3.inputs import download_channels, download_code, input_data_config
from local_sagemaker.state_machine.commands import Exited, Measured, Prepared, Report, Uploaded

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_logs import CloudWatchLogsClient
    from mypy_boto3_s3 import S3Client

_SYNC_SECONDS = 1.0
_TERMINATED = 143


@dataclass(frozen=True, slots=True)
class RunnerConfig:
    """The settings and clients that all runs share."""

    folder: Path
    python: str
    s3: S3Client
    logs: CloudWatchLogsClient
    metrics: CloudWatchClient
    metrics_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class _RunHost:
    """One host in the run, with its files, logs, metrics and checkpoints."""

    node: Node
    sandbox: Sandbox
    process: Host
    log: LogStream
    metrics: HostMetrics
    sync: CheckpointSync | None


class TrainingRun:
    def __init__(self, config: RunnerConfig, request: dict[str, Any], arn: str) -> None:
        self._config = config
        self._request = request
        self._arn = arn
        self._folder = _new_folder(config, request)
        self._cluster = nodes(request)
        self._port = free_port()  # the port at which the hosts of torchrun meet
        self._changed = threading.Condition()  # guards the fields below; notified when a host ends
        self._disk = threading.Lock()  # held while checkpoints are copied, and while their folder is removed
        self._is_gone = False
        self._may_start = True
        self._ended: list[Host] = []
        self._metrics = AlgorithmMetrics(config.metrics, request)
        self._hosts = [self._host(node) for node in self._cluster]

    def prepare(self) -> Report:
        if not self._cluster:
            raise JobError("local_sagemaker runs scripts on instances: the request has no ResourceConfig")
        require_program(self._request)
        for host in self._hosts:
            self._prepare_host(host)
        if uses_torchrun(self._request):
            require_torch(self._config.python, self._environment(self._hosts[0]))
        return Prepared()

    def run(self, report: Callable[[Report], None]) -> Report:
        """Runs all hosts to their end, and reports metric values meanwhile."""
        try:
            if not self._start():
                return Exited(_TERMINATED)
            measured_at = time.monotonic()
            while self._is_running():
                self._sync(report)
                measured_at = self._measure(measured_at)
            self._sync(report)
        finally:
            self.kill()  # ends all hosts, even after an error
        return self._outcome()

    def upload(self) -> Report:
        models = [host.sandbox.model for host in self._hosts]
        outputs = [host.sandbox.output_data for host in self._hosts]
        upload_artifacts(self._config.s3, self._request, models, outputs)
        return Uploaded()

    def clean(self) -> None:
        """Ends the processes that are still running on the instances. Removes their files, but no checkpoints in S3."""
        self.kill()
        with self._disk:
            self._is_gone = True
            shutil.rmtree(self._folder, ignore_errors=True)

    def terminate(self) -> None:
        self._signal(Host.terminate)

    def kill(self) -> None:
        self._signal(Host.kill)

    def _host(self, node: Node) -> _RunHost:
        checkpoints = self._request.get("CheckpointConfig", {})
        local_path = checkpoints.get("LocalPath", "").rstrip("/") or DEFAULT_CHECKPOINT_PATH
        sandbox = Sandbox(self._folder / node.name, local_path)
        sync = CheckpointSync(self._config.s3, checkpoints["S3Uri"], sandbox.checkpoints) if checkpoints else None
        stream = f"{self._request['TrainingJobName']}/{node.name}-{round(time.time())}"
        log = LogStream(self._config.logs, stream)
        process = Host(lambda line: self._printed(line, log), self._host_ended)
        return _RunHost(node, sandbox, process, log, self._host_metrics(node, sandbox, process), sync)

    def _printed(self, line: str, log: LogStream) -> None:
        log.write(line)
        self._metrics.read(line)

    def _host_metrics(self, node: Node, sandbox: Sandbox, process: Host) -> HostMetrics:
        name = f"{self._request['TrainingJobName']}/{node.name}"
        usage = Usage(process, self._folder)
        return HostMetrics(self._config.metrics, name, gpus(node.instance_type), usage.read, sandbox.gpu_usage)

    def _prepare_host(self, host: _RunHost) -> None:
        sandbox, request, s3 = host.sandbox, self._request, self._config.s3
        sandbox.make()
        download_channels(s3, request, host.node, self._cluster, sandbox)
        archive = source_archive(request)
        if archive is not None:
            download_code(s3, archive, sandbox)
        if host.sync is not None:
            host.sync.pull()
        sandbox.write_config("hyperparameters", hyperparameters(request, sandbox))
        sandbox.write_config("inputdataconfig", input_data_config(request))
        sandbox.write_config("resourceconfig", resource_config(host.node, self._cluster))

    def _start(self) -> bool:
        """Starts all hosts. Returns False if the run has already been stopped."""
        with self._changed:
            if not self._may_start:
                return False
            for host in self._hosts:
                self._start_host(host)
            return True

    def _start_host(self, host: _RunHost) -> None:
        host.process.start(
            command(self._request, host.sandbox, self._launcher(host)),
            self._environment(host),
            working_directory(self._request, host.sandbox),
        )

    def _launcher(self, host: _RunHost) -> list[str]:
        python = self._config.python
        if not uses_torchrun(self._request):
            return [python]
        rank, processes = self._cluster.index(host.node), max(1, gpus(host.node.instance_type))
        return Torchrun(len(self._cluster), rank, processes, self._port).command(python)

    def _environment(self, host: _RunHost) -> dict[str, str]:
        return environment(self._request, self._arn, host.sandbox, self._config.python)

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

    def _sync(self, report: Callable[[Report], None]) -> None:
        if values := self._metrics.publish():
            report(Measured(values))
        for host in self._hosts:
            host.log.flush()
            with self._disk:
                if host.sync is not None and not self._is_gone:
                    host.sync.push()

    def _measure(self, since: float) -> float:
        """Publishes metrics once a minute. Returns the time of the last measurement."""
        now = time.monotonic()
        if now - since < self._config.metrics_seconds:
            return since
        for host in self._hosts:
            host.metrics.publish()
        return now

    def _outcome(self) -> Report:
        """Returns the outcome of the first host that failed, because its failure ended the other hosts."""
        for process in self._ended:
            if process.exit_code:
                return Exited(process.exit_code, self._message(process), self._metrics.final())
        return Exited(0, metrics=self._metrics.final())

    def _message(self, process: Host) -> str:
        """Returns the content of the container's failure file, or else the end of its stderr."""
        (host,) = (host for host in self._hosts if host.process is process)
        if host.sandbox.failure.is_file():
            return host.sandbox.failure.read_text(errors="replace")
        return process.error_tail

    def _signal(self, send: Callable[[Host], None]) -> None:
        with self._changed:
            self._may_start = False
            for host in self._hosts:
                if host.process.exit_code is None:
                    send(host.process)


def _new_folder(config: RunnerConfig, request: dict[str, Any]) -> Path:
    """Creates a new folder for each run: the job's next run may start while this run's folder is being removed."""
    config.folder.mkdir(exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=f"{request['TrainingJobName']}-", dir=config.folder))
