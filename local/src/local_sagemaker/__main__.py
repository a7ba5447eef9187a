"""`python -m local_sagemaker`: a SageMaker Training endpoint that runs scripts on this machine."""

import logging
import signal
import sys
import threading
from pathlib import Path

import boto3
import click
from botocore.config import Config

from local_sagemaker.delivery import Courier, Rules
from local_sagemaker.emulator import Emulator
from local_sagemaker.running import orphans
from local_sagemaker.running.crew import Crew
from local_sagemaker.running.training_run import Workshop
from local_sagemaker.server import Server
from local_sagemaker.store import JobFile
from local_sagemaker.world import Behaviour, World


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=4567, show_default=True, help="On 127.0.0.1.")
@click.option(
    "--state-dir", type=click.Path(file_okay=False, path_type=Path), required=True, help="Jobs are kept here."
)
@click.option(
    "--endpoint-url", envvar="AWS_ENDPOINT_URL", required=True, help="The emulator of S3, Logs and EventBridge."
)
@click.option("--region", envvar=["AWS_REGION", "AWS_DEFAULT_REGION"], default="us-east-1", show_default=True)
@click.option("--account", default="000000000000", show_default=True)
@click.option(
    "--rate-factor", type=click.FloatRange(min=0.001), default=1, help="Multiplies SageMaker's request rates."
)
@click.option(
    "--startup-seconds", type=click.FloatRange(min=0), default=3, show_default=True, help="Until instances are there."
)
@click.option(
    "--grace-seconds", type=click.FloatRange(min=0), default=120, show_default=True, help="From SIGTERM to SIGKILL."
)
@click.option("--script-python", default=sys.executable, show_default=True, help="The interpreter of training scripts.")
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
    """A SageMaker Training endpoint on this machine. It never talks to AWS: everything else is at --endpoint-url."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s %(message)s")
    behaviour = Behaviour(region, account, rate_factor, grace_seconds, startup=lambda _request: startup_seconds)
    _serve(port, state_dir.resolve(), endpoint_url, script_python, behaviour)


def _serve(port: int, state_dir: Path, endpoint_url: str, python: str, behaviour: Behaviour) -> None:
    state_dir.mkdir(parents=True, exist_ok=True)
    session = boto3.Session(region_name=behaviour.region)
    s3 = session.client("s3", endpoint_url=endpoint_url, config=Config(s3={"addressing_style": "path"}))
    logs = session.client("logs", endpoint_url=endpoint_url)
    crew = Crew(Workshop(state_dir / "work", python, s3, logs))
    rules = Rules(
        session.client("events", endpoint_url=endpoint_url), session.client("lambda", endpoint_url=endpoint_url)
    )
    orphans.clear(state_dir / "work")
    jobs = JobFile(state_dir / "jobs.sqlite")
    emulator = Emulator(World(behaviour, jobs=jobs.load()), jobs, crew, Courier(rules.deliver).send)
    with Server(port, emulator) as server:
        emulator.start()
        _shut_down_on_signals(server)
        click.echo(f"local_sagemaker listens on http://127.0.0.1:{server.server_port}")
        server.serve_forever()
    emulator.close()
    crew.disband()


def _shut_down_on_signals(server: Server) -> None:
    def shut_down(*_: object) -> None:
        threading.Thread(target=server.shutdown).start()  # it waits for the loop that this thread is in

    signal.signal(signal.SIGTERM, shut_down)
    signal.signal(signal.SIGINT, shut_down)


if __name__ == "__main__":
    main()
