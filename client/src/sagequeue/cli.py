"""`sagequeue`: the queue from a shell, as tables for people and with `--json` for programs."""

import json
import os
import sys
from datetime import UTC, datetime
from typing import IO

import click
from rich.console import Console

from sagequeue.client import QueueClient
from sagequeue.commands import QueueCommands
from sagequeue.contract import FINISHED, UNFINISHED, Job, JobPage, TrainingRequest
from sagequeue.tables import job_view, queue_view
from sagequeue.watch import snapshots, watch_json, watch_table

#: Where nobody set a width, nothing should be cut or wrapped.
WIDTH_OF_A_PIPE = 240

_as_json = click.option("--json", "as_json", is_flag=True, help="Print the API's own JSON.")
_limit = click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="Newest jobs only.")
_name = click.argument("name")


@click.group(cls=QueueCommands)
@click.version_option(package_name="sagequeue")
def main() -> None:
    """Put SageMaker training jobs into a queue, and see where they stand.

    The queue is found through SAGEQUEUE_API_URL, else api_url in ~/.config/sagequeue/config.toml, else the stack named
    in SAGEQUEUE_STACK (default: sagequeue). Calls are signed with the shell's AWS credentials.

    \b
    Exit codes:
      0  done
      1  the queue refuses
      2  wrong usage
      3  no such job
      4  not configured, not signed in, not allowed, or not a queue
      5  the queue cannot be reached
    """


@main.command()
@click.argument("file", type=click.File(encoding="utf-8"))
@click.option("--priority", type=int, help="Set the tag `priority`; higher goes first.")
@_as_json
def submit(file: IO[str], priority: int | None, *, as_json: bool) -> None:
    """Submit a CreateTrainingJob request from FILE (- reads standard input).

    The same request again is the same job: repeating a submission is safe.
    """
    request = _read(file)
    _print_job(
        QueueClient().submit(request if priority is None else _with_priority(request, priority)), as_json=as_json
    )


@main.command()
@click.option("--state", type=click.Choice([*UNFINISHED, *sorted(FINISHED)]), help="Only jobs in this state.")
@_limit
@_as_json
def ls(state: str | None, limit: int, *, as_json: bool) -> None:
    """List jobs: those that hold instances, those that wait in their order, those that ended."""
    page = QueueClient().page(limit=limit, **({"state": state} if state else {}))
    if as_json:
        _print_json(page)
    else:
        _console().print(queue_view(page, datetime.now(UTC)))


@main.command()
@_name
@_as_json
def show(name: str, *, as_json: bool) -> None:
    """Show one job with its attempts and why it is where it is."""
    _print_job(QueueClient().get(name), as_json=as_json)


@main.command()
@_name
@_as_json
def cancel(name: str, *, as_json: bool) -> None:
    """Take a job out of the queue, or stop it if it runs."""
    _print_job(QueueClient().cancel(name), as_json=as_json)


@main.command()
@click.option("--every", type=click.FloatRange(min=0), default=2.0, show_default=True, help="Seconds between looks.")
@click.option("--until-empty", is_flag=True, help="End when no job waits or runs.")
@_limit
@_as_json
def watch(every: float, limit: int, *, until_empty: bool, as_json: bool) -> None:
    """Show the queue live, until Ctrl-C. With --json: one line per change."""
    seen = snapshots(QueueClient(), limit, every, until_empty=until_empty)
    try:
        watch_json(seen) if as_json else watch_table(seen)
    except KeyboardInterrupt:
        sys.exit(130 if until_empty else 0)


def _console() -> Console:
    console = Console()
    has_width = console.is_terminal or "COLUMNS" in os.environ
    return console if has_width else Console(width=WIDTH_OF_A_PIPE)


def _read(file: IO[str]) -> TrainingRequest:
    try:
        request = json.load(file)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{file.name} is not readable JSON: {error}", param_hint="FILE") from error
    if not isinstance(request, dict):
        raise click.BadParameter(f"{file.name} is not a JSON object.", param_hint="FILE")
    return request


def _with_priority(request: TrainingRequest, priority: int) -> TrainingRequest:
    tags = request.get("Tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, dict) for tag in tags):
        raise click.BadParameter('Tags is not a list of {"Key": …, "Value": …}.', param_hint="FILE")
    others = [tag for tag in tags if tag.get("Key") != "priority"]
    return {**request, "Tags": [*others, {"Key": "priority", "Value": str(priority)}]}


def _print_job(job: Job, *, as_json: bool) -> None:
    if as_json:
        _print_json(job)
    else:
        _console().print(job_view(job, datetime.now(UTC)))


def _print_json(answer: Job | JobPage) -> None:
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
