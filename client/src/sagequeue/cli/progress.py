"""`sagequeue wait` and `logs`: stay with a job until it has ended, and leave with an exit code that says how."""

import json
import sys
import time
from collections import deque
from dataclasses import asdict
from typing import NoReturn

import boto3
import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import json_option, print_job
from sagequeue.cli.options import one_job
from sagequeue.contract.jobs import FINISHED, LIVE, Job
from sagequeue.jobs.logs import LogLine, follow_log, read_log
from sagequeue.jobs.status import waiting_message

#: By state; docs/cli.md promises them.
EXIT_CODES = {"completed": 0, "failed": 10, "stopped": 11, "parked": 12}
TIME_IS_UP = 124
INTERRUPTED = 130
EVERY = 5.0


@click.command()
@one_job
@click.option("--timeout", type=click.FloatRange(min=0), metavar="SECONDS", help="Give up after that; the job goes on.")
@json_option
def wait(name: str, timeout: float | None, *, as_json: bool) -> None:
    """Wait until a job has ended; the exit code tells how (`sagequeue --help`)."""
    leave_with(end_of(QueueClient(), name, timeout), as_json=as_json)


@click.command()
@one_job
@click.option("-f", "--follow", "follows", is_flag=True, help="Go on over all attempts, to the job's end.")
@click.option("-n", "--lines", type=click.IntRange(min=1), help="Only the last so many.")
@click.option("--json", "as_json", is_flag=True, help="One object per line; the queue's own lines have no host.")
def logs(name: str, *, follows: bool, lines: int | None, as_json: bool) -> None:
    """Print a job's log: of all its attempts, with a line of the queue's own at each preemption."""
    if follows and lines:
        raise click.UsageError("--lines is for what there is: leave --follow or --lines out.")
    session = boto3.Session()
    queue, client = QueueClient(session=session), session.client("logs")
    try:
        for line in follow_log(queue, client, name) if follows else deque(read_log(queue, client, name), maxlen=lines):
            _print_json(line) if as_json else _print(line)
    except KeyboardInterrupt:
        _leave_alone(name, "logs -f")


COMMANDS = (wait, logs)


def end_of(queue: QueueClient, name: str, timeout: float | None = None) -> Job:
    """The job when it has ended, or is parked; each new reason to wait goes to standard error."""
    told, since = "", time.monotonic()
    try:
        while (job := queue.get(name))["state"] not in EXIT_CODES:
            told = _tell(job, told)
            if timeout is not None and time.monotonic() - since >= timeout:
                click.echo(
                    f"{name} is still {job['state']}. It goes on; `sagequeue wait {name}` waits again.", err=True
                )
                sys.exit(TIME_IS_UP)
            time.sleep(EVERY)
    except KeyboardInterrupt:
        _leave_alone(name, "wait")
    return job


def leave_with(job: Job, *, as_json: bool) -> NoReturn:
    print_job(job, as_json=as_json)
    sys.exit(EXIT_CODES[job["state"]])


def _leave_alone(name: str, command: str) -> NoReturn:
    click.echo(
        f"\n{name} goes on. To come back: `sagequeue {command} {name}`; to end it: `sagequeue cancel {name}`.", err=True
    )
    sys.exit(INTERRUPTED)


def _tell(job: Job, told: str) -> str:
    news = job["state"] if job["state"] in LIVE | FINISHED else waiting_message(job, job["state"])
    if news != told:
        click.echo(f"{job['name']}: {news}", err=True)
    return news


def _print(line: LogLine) -> None:
    if line.is_marker:
        click.secho(f"── {line.text} ──", dim=True)
    else:
        click.echo(line.text if line.host in {"", "algo-1"} else f"{line.host}: {line.text}")


def _print_json(line: LogLine) -> None:
    click.echo(json.dumps(asdict(line), ensure_ascii=False))
