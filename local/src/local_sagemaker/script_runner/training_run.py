"""One run of a job on all its hosts: prepare, train, upload."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_sagemaker.script_runner.cloudwatch.accelerators import gpus
from local_sagemaker.script_runner.cloudwatch.logs import LogStream
from local_sagemaker.script_runner.cloudwatch.metrics import Gauge
from local_sagemaker.script_runner.cloudwatch.usage import Usage
from local_sagemaker.script_runner.failure import WorkFailed
from local_sagemaker.script_runner.host.cluster import Node, nodes, resource_config
from local_sagemaker.script_runner.host.process import Host
from local_sagemaker.script_runner.host.program import (
    command,
    environment,
    hyperparameters,
    require_program,
    source_archive,
    working_directory,
)
from local_sagemaker.script_runner.host.sandbox import DEFAULT_CHECKPOINT_PATH, Sandbox
from local_sagemaker.script_runner.s3.artifacts import upload_artifacts
from local_sagemaker.script_runner.s3.checkpoints import CheckpointSync
from local_sagemaker.script_runner.s3.inputs import bring_channels, bring_code, input_data_config
from local_sagemaker.state_machine.commands import Exited, Prepared, Report, Uploaded

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_logs import CloudWatchLogsClient
    from mypy_boto3_s3 import S3Client

_SYNC_SECONDS = 1.0
_TERMINATED = 143


@dataclass(frozen=True, slots=True)
class Workshop:
    """What every run needs."""

    folder: Path
    python: str
    s3: S3Client
    logs: CloudWatchLogsClient
    metrics: CloudWatchClient
    metrics_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class _Station:
    """A host with all that belongs to it."""

    node: Node
    sandbox: Sandbox
    host: Host
    log: LogStream
    gauge: Gauge
    sync: CheckpointSync | None


class TrainingRun:
    def __init__(self, workshop: Workshop, request: dict[str, Any], arn: str) -> None:
        self._workshop = workshop
        self._request = request
        self._arn = arn
        self._folder = _new_folder(workshop, request)
        self._cluster = nodes(request)
        self._moved = threading.Condition()  # guards what follows; notified when a host ends
        self._disk = threading.Lock()  # held while checkpoints are copied, and while their folder goes
        self._is_gone = False
        self._may_start = True
        self._ended: list[Host] = []
        self._stations = [self._station(node) for node in self._cluster]

    def prepare(self) -> Report:
        if not self._cluster:
            raise WorkFailed("local_sagemaker runs scripts on instances: the request has no ResourceConfig")
        require_program(self._request)
        for station in self._stations:
            self._furnish(station)
        return Prepared()

    def train(self) -> Report:
        try:
            if not self._start():
                return Exited(_TERMINATED)
            measured_at = time.monotonic()
            while self._is_running():
                self._sync()
                measured_at = self._measure(measured_at)
            self._sync()
        finally:
            self.kill()  # whatever went wrong, no host outlives the run
        return self._outcome()

    def upload(self) -> Report:
        models = [station.sandbox.model for station in self._stations]
        outputs = [station.sandbox.output_data for station in self._stations]
        upload_artifacts(self._workshop.s3, self._request, models, outputs)
        return Uploaded()

    def clean(self) -> None:
        """The instances are gone, and what still runs there with them: no copy that it deletes is deleted in S3."""
        self.kill()
        with self._disk:
            self._is_gone = True
            shutil.rmtree(self._folder, ignore_errors=True)

    def terminate(self) -> None:
        self._signal(Host.terminate)

    def kill(self) -> None:
        self._signal(Host.kill)

    def _station(self, node: Node) -> _Station:
        config = self._request.get("CheckpointConfig", {})
        sandbox = Sandbox(self._folder / node.name, config.get("LocalPath", "").rstrip("/") or DEFAULT_CHECKPOINT_PATH)
        sync = CheckpointSync(self._workshop.s3, config["S3Uri"], sandbox.checkpoints) if config else None
        stream = f"{self._request['TrainingJobName']}/{node.name}-{round(time.time())}"
        log = LogStream(self._workshop.logs, stream)
        host = Host(log.write, self._host_ended)
        return _Station(node, sandbox, host, log, self._gauge(node, sandbox, host), sync)

    def _gauge(self, node: Node, sandbox: Sandbox, host: Host) -> Gauge:
        name = f"{self._request['TrainingJobName']}/{node.name}"
        usage = Usage(host, self._folder)
        return Gauge(self._workshop.metrics, name, gpus(node.instance_type), usage.read, sandbox.gpu_usage)

    def _furnish(self, station: _Station) -> None:
        sandbox, request, s3 = station.sandbox, self._request, self._workshop.s3
        sandbox.make()
        bring_channels(s3, request, station.node, self._cluster, sandbox)
        archive = source_archive(request)
        if archive is not None:
            bring_code(s3, archive, sandbox)
        if station.sync is not None:
            station.sync.pull()
        sandbox.write_config("hyperparameters", hyperparameters(request, sandbox))
        sandbox.write_config("inputdataconfig", input_data_config(request))
        sandbox.write_config("resourceconfig", resource_config(station.node, self._cluster))

    def _start(self) -> bool:
        """False if the run was stopped before it could start."""
        with self._moved:
            if not self._may_start:
                return False
            for station in self._stations:
                self._start_host(station)
            return True

    def _start_host(self, station: _Station) -> None:
        sandbox, python = station.sandbox, self._workshop.python
        station.host.start(
            command(self._request, sandbox, python),
            environment(self._request, self._arn, sandbox, python),
            working_directory(self._request, sandbox),
        )

    def _is_running(self) -> bool:
        """Waits a moment for all hosts to end."""
        with self._moved:
            return not self._moved.wait_for(lambda: len(self._ended) == len(self._stations), _SYNC_SECONDS)

    def _host_ended(self, host: Host) -> None:
        with self._moved:
            self._ended.append(host)
            if host.exit_code != 0:
                self.kill()  # one failed host fails the job
            self._moved.notify_all()

    def _sync(self) -> None:
        for station in self._stations:
            station.log.flush()
            with self._disk:
                if station.sync is not None and not self._is_gone:
                    station.sync.push()

    def _measure(self, since: float) -> float:
        """Once a minute. Gives the time of the last measurement."""
        now = time.monotonic()
        if now - since < self._workshop.metrics_seconds:
            return since
        for station in self._stations:
            station.gauge.tell()
        return now

    def _outcome(self) -> Report:
        """That of the first host to fail; the others were ended because of it."""
        for host in self._ended:
            if host.exit_code:
                return Exited(host.exit_code, self._message(host))
        return Exited(0)

    def _message(self, host: Host) -> str:
        """A container may explain its failure in a file; else the end of its stderr says it."""
        (station,) = (station for station in self._stations if station.host is host)
        if station.sandbox.failure.is_file():
            return station.sandbox.failure.read_text(errors="replace")
        return host.error_tail

    def _signal(self, send: Callable[[Host], None]) -> None:
        with self._moved:
            self._may_start = False
            for station in self._stations:
                if station.host.exit_code is None:
                    send(station.host)


def _new_folder(workshop: Workshop, request: dict[str, Any]) -> Path:
    """Each run has its own: the next one of the same job may start while this one is cleared away."""
    workshop.folder.mkdir(exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=f"{request['TrainingJobName']}-", dir=workshop.folder))
