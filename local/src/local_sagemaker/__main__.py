"""`python -m local_sagemaker`: starts a SageMaker Training endpoint that runs scripts on this machine."""

import logging
import signal
import sqlite3
import sys
import threading
from pathlib import Path

import boto3
import click
from botocore.config import Config

from local_sagemaker.script_runner.host.process import kill_orphans
from local_sagemaker.script_runner.runner import ScriptRunner
from local_sagemaker.script_runner.training_run import RunnerConfig
from local_sagemaker.server.emulator import Emulator
from local_sagemaker.server.event_delivery import BackgroundDelivery, EventBus
from local_sagemaker.server.http_server import Server
from local_sagemaker.server.issued_keys import IssuedKeys
from local_sagemaker.server.job_store import JobStore
from local_sagemaker.state_machine.behaviour import Behaviour


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=4567,
    show_default=True,
    help="Port on 127.0.0.1; with 0, any free port.",
)
@click.option(
    "--state-dir",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the jobs and for running scripts.",
)
@click.option(
    "--endpoint-url",
    envvar="AWS_ENDPOINT_URL",
    required=True,
    help="URL of the server that emulates S3, CloudWatch, EventBridge, Lambda and SQS.",
)
@click.option("--region", envvar=["AWS_REGION", "AWS_DEFAULT_REGION"], default="us-east-1", show_default=True)
@click.option("--account", default="000000000000", show_default=True)
@click.option(
    "--rate-factor", type=click.FloatRange(min=0.001), default=1, help="Factor for SageMaker's request rates."
)
@click.option(
    "--startup-seconds",
    type=click.FloatRange(min=0),
    default=3,
    show_default=True,
    help="Seconds until a job gets its instances.",
)
@click.option(
    "--grace-seconds",
    type=click.FloatRange(min=0),
    default=120,
    show_default=True,
    help="Seconds between SIGTERM and SIGKILL when a job is stopped.",
)
@click.option(
    "--script-python", default=sys.executable, show_default=True, help="Python interpreter that runs training scripts."
)
def main(
    port: int,
    state_dir: Path,
    endpoint_url: str,
    region: str,
    account: str,
    rate_factor: float,
    startup_seconds: float,
    grace_seconds: float,
    script_python: str,
) -> None:
    """Run a SageMaker Training endpoint on this machine.

    It never calls AWS. It calls other services at --endpoint-url.
    """
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s %(message)s")
    behaviour = Behaviour(region, account, rate_factor, grace_seconds, startup=lambda _request: startup_seconds)
    _serve(port, state_dir.resolve(), endpoint_url, script_python, behaviour)


def _serve(port: int, state_dir: Path, endpoint_url: str, python: str, behaviour: Behaviour) -> None:
    session = boto3.Session(region_name=behaviour.region)
    key = _own_key(session)
    state_dir.mkdir(parents=True, exist_ok=True)
    store = _open_store(state_dir)
    work = state_dir / "work"
    kill_orphans(work)
    runner = ScriptRunner(_runner_config(session, endpoint_url, work, python))
    machine = store.restored(behaviour)
    queues = session.client("sqs", endpoint_url=endpoint_url)
    delivery = BackgroundDelivery(_event_bus(session, endpoint_url), queues)
    emulator = Emulator(machine, store, runner, delivery.send)
    with _listen(port, emulator, key, endpoint_url) as server:
        emulator.start()
        _shut_down_on_signals(server)
        click.echo(f"local_sagemaker listens on http://127.0.0.1:{server.server_port}")
        server.serve_forever()
    emulator.close()
    runner.kill_all()


def _open_store(state_dir: Path) -> JobStore:
    try:
        return JobStore(state_dir / "jobs.sqlite")
    except sqlite3.OperationalError as error:
        raise click.ClickException(
            f"cannot open {state_dir}: {error}; if another server uses it, choose another --state-dir"
        ) from error


def _own_key(session: boto3.Session) -> str:
    """Returns the server's own access key id. Callers need it too."""
    credentials = session.get_credentials()
    if credentials is None:
        raise click.ClickException("there are no AWS credentials; set AWS_ACCESS_KEY_ID")
    return credentials.access_key


def _listen(port: int, emulator: Emulator, key: str, endpoint_url: str) -> Server:
    try:
        return Server(port, emulator, key, IssuedKeys(endpoint_url, key))
    except OSError as error:
        raise click.ClickException(
            f"cannot listen on port {port}: {error.strerror}; choose another with --port"
        ) from error


def _runner_config(session: boto3.Session, endpoint_url: str, work: Path, python: str) -> RunnerConfig:
    s3 = session.client("s3", endpoint_url=endpoint_url, config=Config(s3={"addressing_style": "path"}))
    logs = session.client("logs", endpoint_url=endpoint_url)
    return RunnerConfig(work, python, s3, logs, session.client("cloudwatch", endpoint_url=endpoint_url))


def _event_bus(session: boto3.Session, endpoint_url: str) -> EventBus:
    bus = session.client("events", endpoint_url=endpoint_url)
    return EventBus(bus, session.client("lambda", endpoint_url=endpoint_url))


def _shut_down_on_signals(server: Server) -> None:
    def shut_down(*_: object) -> None:
        threading.Thread(target=server.shutdown).start()  # shutdown() waits for this thread's loop

    signal.signal(signal.SIGTERM, shut_down)
    signal.signal(signal.SIGINT, shut_down)


if __name__ == "__main__":
    main()
