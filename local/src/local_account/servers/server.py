"""Starts the two servers of the account, ministack (AWS without SageMaker) and local_sagemaker, on their TCP ports."""

import http.client
import json
import os
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psutil

from local_account.errors import AccountError
from local_account.logs import tail
from local_account.paths import Paths
from local_account.servers import processes
from local_account.settings import ACCOUNT, REGION, Settings, account_environment, without_real_account
from local_guard.rule import KEY_HEADER

# The servers start in this order, and stop in the opposite order, because the second server uses the first.
SERVERS = ("ministack", "sagemaker")

START_SECONDS = 300.0  # the most, on a busy machine; usually one second
LOOPBACK = "127.0.0.1"
# Below the ports that Linux and macOS assign to clients: a client could otherwise take a port before its server starts.
_FIRST_PORT, _PORTS, _PORTS_OF_A_PROCESS = 20_000, 12_000, 40
_tried = count()


@dataclass(frozen=True)
class Server:
    name: str
    port: int
    port_option: str
    health_path: str
    key: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def start(self, home: Path) -> psutil.Process:
        return processes.start(self.command, self.environment, home, self.log)

    def await_health(self, process: psutil.Process) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if processes.ends(process, within=0.1) or time.monotonic() > deadline:
                raise AccountError(f"{self.name} did not start; the end of {self.log}:\n{tail(self.log)}")

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=5)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            connection.request("GET", self.health_path, headers={KEY_HEADER: self.key})
            answer = connection.getresponse()
            answer.read()
            return answer.status == http.HTTPStatus.OK
        return False


def describe_servers(settings: Settings, key: str, paths: Paths) -> tuple[Server, ...]:
    return _ministack(settings, key, paths), _sagemaker(settings, key, paths)


def reset_stream_positions(state: Path) -> None:
    """Resets ministack's stream positions: ministack saves the positions, but not the streams.

    A restarted stream begins at zero. From its old position, an event source mapping would skip as many changes as it
    had read before. From the start, it reads the next change.
    """
    saved = state / "lambda.json"
    if not saved.exists():
        return
    functions = json.loads(saved.read_text())
    positions = functions["payload"]["dynamodb_stream_positions"]["data"]
    positions.update(dict.fromkeys(positions, 0))
    saved.write_text(json.dumps(functions))


def _ministack(settings: Settings, key: str, paths: Paths) -> Server:
    environment = {
        **without_real_account(),
        # Lambda functions inherit this environment. ministack sets their credentials and AWS_ENDPOINT_URL.
        "AWS_ENDPOINT_URL_SAGEMAKER": settings.sagemaker_endpoint,
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": key,
        "PYTHONPATH": str(paths.local_packages),
        "MINISTACK_ACCOUNT_ID": ACCOUNT,
        "MINISTACK_REGION": REGION,
        "GATEWAY_PORT": str(settings.port),
        "BIND_HOST": LOOPBACK,
        "AUTH": "true",
        "PERSIST_STATE": "1",
        "STATE_DIR": str(paths.ministack / "state"),
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str(paths.ministack / "s3"),
        "TMPDIR": str(paths.scratch),
    }
    return Server(
        name="ministack",
        port=settings.port,
        port_option="--port",
        health_path="/_ministack/health",
        key=key,
        command=(str(paths.ministack_python), "-m", "local_guard"),
        environment=environment,
        log=paths.log("ministack"),
    )


def _sagemaker(settings: Settings, key: str, paths: Paths) -> Server:
    options = {
        "--port": settings.sagemaker_port,
        "--state-dir": paths.sagemaker,
        "--startup-seconds": settings.startup_seconds,
        "--rate-factor": settings.rate_factor,
        "--grace-seconds": settings.grace_seconds,
    }
    arguments = [str(part) for option in options.items() for part in option]
    return Server(
        name="sagemaker",
        port=settings.sagemaker_port,
        port_option="--sagemaker-port",
        health_path="/health",
        key=key,
        command=(sys.executable, "-m", "local_sagemaker", *arguments),
        environment={**without_real_account(), **account_environment(settings, key)},
        log=paths.log("sagemaker"),
    )


def free_port() -> int:
    """Returns an unused port for an additional account. Never returns the same port again, even in another process."""
    while True:
        port = _FIRST_PORT + (os.getpid() * _PORTS_OF_A_PROCESS + next(_tried)) % _PORTS
        with socket.socket() as probe:
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
        return port


def require_free(port: int, option: str) -> None:
    with socket.socket() as probe:
        # As servers do: old connections of a server that has just ended do not block its port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise AccountError(
                f"another program uses port {port}; stop it, or choose another port with {option}"
            ) from error
