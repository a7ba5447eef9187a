"""`sagequeue wait` and `logs`: follow a job to its end. The exit code shows the result."""

import sys
import time
from collections import deque
from dataclasses import asdict
from typing import NoReturn

import boto3
import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import echo, json_option, print_job, print_line_of_json
from sagequeue.cli.options import one_job
from sagequeue.contract.jobs import FINISHED, LIVE, Job
from sagequeue.jobs.description import waiting_message
from sagequeue.jobs.logs import LogLine, follow_log, read_log
from sagequeue.jobs.polling import poll

#: Exit codes by state, as docs/reference/cli.md lists them.
EXIT_CODES = {"completed": 0, "failed": 10, "stopped": 11, "parked": 12}
TIMED_OUT = 124
INTERRUPTED = 130
EVERY = 5.0


@click.command()
@one_job
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Stop waiting after SECONDS; the job stays in the queue.",
)
@json_option
def wait(name: str, timeout: float | None, *, as_json: bool) -> None:
    """Wait until a job has ended or is parked. The exit code shows the result (see `sagequeue --help`)."""
    exit_with_result(end_of(QueueClient(), name, timeout), as_json=as_json)


@click.command()
@one_job
@click.option(
    "-f",
    "--follow",
    "follows",
    is_flag=True,
    help="Keep printing new lines, across all attempts, until the job has ended.",
)
@click.option(
    "-n", "--lines", type=click.IntRange(min=1), help="Number of lines to print from the end of the current log.  [all]"
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object per line; `host` is empty in lines that the queue adds.",
)
def logs(name: str, *, follows: bool, lines: int | None, as_json: bool) -> None:
    """Print the log of all attempts of a job.

    The queue adds lines that mark waits, and the start and end of each attempt.
    """
    session = boto3.Session()
    queue = QueueClient(session=session)
    client = session.client("logs", region_name=queue.region)
    try:
        existing = () if follows else deque(read_log(queue, client, name), maxlen=lines)
        for line in follow_log(queue, client, name, last=lines) if follows else existing:
            _print_json(line) if as_json else _print(line)
    except KeyboardInterrupt:
        _exit_interrupted(name, "logs -f")


COMMANDS = (wait, logs)


def end_of(queue: QueueClient, name: str, timeout: float | None = None) -> Job:
    """Returns the job once it has ended or is parked. Until then, prints new reasons for waiting to standard error."""
    reported, since = "", time.monotonic()
    polls = poll(queue, name, EVERY, lambda text: echo(text, err=True))
    try:
        while (job := next(polls))["state"] not in EXIT_CODES:
            reported = _report_change(job, reported)
            if timeout is not None and time.monotonic() - since >= timeout:
                echo(
                    f"{name} is still {job['state']} and stays in the queue; `sagequeue wait {name}` waits again.",
                    err=True,
                )
                sys.exit(TIMED_OUT)
    except KeyboardInterrupt:
        _exit_interrupted(name, "wait")
    return job


def exit_with_result(job: Job, *, as_json: bool) -> NoReturn:
    print_job(job, as_json=as_json)
    sys.exit(EXIT_CODES[job["state"]])


def _exit_interrupted(name: str, command: str) -> NoReturn:
    echo(
        f"\n{name} stays in the queue. Resume: `sagequeue {command} {name}`; stop: `sagequeue cancel {name}`.",
        err=True,
    )
    sys.exit(INTERRUPTED)


def _report_change(job: Job, reported: str) -> str:
    news = job["state"] if job["state"] in LIVE | FINISHED else waiting_message(job, job["state"])
    if news != reported:
        echo(f"{job['name']}: {news}", err=True)
    return news


def _print(line: LogLine) -> None:
    if line.is_marker:
        echo(f"── {line.text} ──", dim=True)
    else:
        echo(line.text if line.host in {"", "algo-1"} else f"{line.host}: {line.text}")


def _print_json(line: LogLine) -> None:
    print_line_of_json(asdict(line))
