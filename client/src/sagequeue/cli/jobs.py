"""`sagequeue ls`, `show`, `why` and `watch`: show jobs and their status."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, cast

import click
from rich.console import Console
from rich.live import Live

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import console, json_option, print_answer, print_job
from sagequeue.cli.options import one_job
from sagequeue.contract.jobs import FINISHED, UNFINISHED, JobFilter, Listing
from sagequeue.tables.explanations import explanation_view
from sagequeue.tables.jobs import queue_view

_FILTERS = (
    click.option(
        "--state",
        type=click.Choice([*UNFINISHED, *sorted(FINISHED)]),
        multiple=True,
        help="State of the jobs; repeatable.",
    ),
    click.option("--owner", help="ARN that submitted the jobs, as in `ls --json`."),
    click.option("--team", help="Team of the jobs, as named in the queue's rules."),
    click.option("--name", help="Beginning of the jobs' names."),
    click.option("--type", "instance_type", help="Instance type that the jobs need."),
)
limit_option = click.option(
    "--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="Maximum number of jobs."
)


def takes_filters(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_FILTERS):
        command = option(command)
    return command


def given(filters: Mapping[str, Any]) -> JobFilter:
    """Returns the filters that are set."""
    return cast(JobFilter, {name: value for name, value in filters.items() if value})


@click.command()
@takes_filters
@limit_option
@click.option("--next", "token", help="Token of the page, from `next` of the previous page's JSON.")
@json_option
def ls(limit: int, token: str | None, *, as_json: bool, **filters: Any) -> None:
    """List jobs: live ones, then waiting ones in queue order, then ended ones, newest first."""
    queue = QueueClient()
    page = queue.page(limit=limit, token=token, **given(filters))
    while page["next"] and not page["jobs"]:  # no job of this page matches the filters
        page = queue.page(limit=limit, token=page["next"], **given(filters))
    print_answer(page, lambda page: queue_view(page, datetime.now(UTC)), as_json=as_json)


@click.command()
@one_job
@json_option
def show(name: str, *, as_json: bool) -> None:
    """Show one job with its attempts and the reason for its state."""
    print_job(QueueClient().get(name), as_json=as_json)


@click.command()
@one_job
@json_option
def why(name: str, *, as_json: bool) -> None:
    """Explain why a job waits, for which jobs, its priority factors, and when it may start."""
    explanation = QueueClient().why(name)
    print_answer(explanation, lambda found: explanation_view(found, datetime.now(UTC)), as_json=as_json)


@click.command()
@click.option(
    "--every", type=click.FloatRange(min=0), default=2.0, show_default=True, help="Seconds between two updates."
)
@click.option("--until-empty", is_flag=True, help="Exit when no job waits or runs.")
@limit_option
@json_option
def watch(every: float, limit: int, *, until_empty: bool, as_json: bool) -> None:
    """Show the queue live, until Ctrl-C. With --json, print one line per change."""
    pages = snapshots(QueueClient(), limit, every, until_empty=until_empty)
    try:
        watch_json(pages) if as_json else watch_table(pages, console())
    except KeyboardInterrupt:
        sys.exit(130 if until_empty else 0)


COMMANDS = (ls, show, why, watch)


def snapshots(queue: QueueClient, limit: int, every: float, *, until_empty: bool) -> Iterator[Listing]:
    """Yields the list of jobs every `every` seconds; with `until_empty`, until all jobs have ended."""
    while True:
        page = queue.page(limit=limit)
        yield page
        if until_empty and all(job["state"] in FINISHED for job in page["jobs"]):  # unfinished jobs come first
            return
        time.sleep(every)


def watch_table(pages: Iterable[Listing], console: Console) -> None:
    """Shows a live table on a terminal; elsewhere prints the table at each change."""
    if not console.is_terminal:
        for page in _changes(pages):
            console.print(queue_view(page, datetime.now(UTC)))
        return
    with Live(console=console, auto_refresh=False) as live:
        for page in pages:
            live.update(queue_view(page, datetime.now(UTC)), refresh=True)


def watch_json(pages: Iterable[Listing]) -> None:
    """Prints one line per change."""
    for page in _changes(pages):
        click.echo(json.dumps(page, ensure_ascii=False))


def _changes(pages: Iterable[Listing]) -> Iterator[Listing]:
    last = None
    for page in pages:
        if page != last:
            yield page
        last = page
