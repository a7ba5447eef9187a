"""`sagequeue ls`, `show`, `why` and `watch`: where the jobs stand."""

import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, cast

import click

from sagequeue.cli.console import console, json_option, print_job, print_json, print_view
from sagequeue.cli.naming import one_job
from sagequeue.client import QueueClient
from sagequeue.contract import FINISHED, UNFINISHED, JobFilter
from sagequeue.explanations import explanation_view
from sagequeue.tables import queue_view
from sagequeue.watch import snapshots, watch_json, watch_table

_FILTERS = (
    click.option("--state", type=click.Choice([*UNFINISHED, *sorted(FINISHED)]), multiple=True, help="Repeatable."),
    click.option("--owner", help="Who submitted it, as `ls --json` shows."),
    click.option("--team", help="As the rules of the queue name it."),
    click.option("--name", help="How the name begins."),
    click.option("--type", "instance_type", help="Jobs that need instances of this type."),
)
_limit = click.option(
    "--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="So many jobs at once."
)


def takes_filters(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_FILTERS):
        command = option(command)
    return command


def given(filters: Mapping[str, Any]) -> JobFilter:
    """Those that are not left out."""
    return cast(JobFilter, {name: value for name, value in filters.items() if value})


@click.command()
@takes_filters
@_limit
@click.option("--next", "token", help="The page after the one that gave this token as `next`.")
@json_option
def ls(limit: int, token: str | None, *, as_json: bool, **filters: Any) -> None:
    """List jobs: those that hold instances, those that wait in their order, those that ended, the newest first."""
    queue = QueueClient()
    page = queue.page(limit=limit, token=token, **given(filters))
    while page["next"] and not page["jobs"]:  # none of the many that were looked at fits the filters
        page = queue.page(limit=limit, token=page["next"], **given(filters))
    if as_json:
        print_json(page)
    else:
        print_view(queue_view(page, datetime.now(UTC)))


@click.command()
@one_job
@json_option
def show(name: str, *, as_json: bool) -> None:
    """Show one job with its attempts and why it is where it is."""
    print_job(QueueClient().get(name), as_json=as_json)


@click.command()
@one_job
@json_option
def why(name: str, *, as_json: bool) -> None:
    """Say why a job waits, for which jobs, what gives it its place, and when it may start."""
    explanation = QueueClient().why(name)
    if as_json:
        print_json(explanation)
    else:
        print_view(explanation_view(explanation, datetime.now(UTC)))


@click.command()
@click.option("--every", type=click.FloatRange(min=0), default=2.0, show_default=True, help="Seconds between looks.")
@click.option("--until-empty", is_flag=True, help="End when no job waits or runs.")
@_limit
@json_option
def watch(every: float, limit: int, *, until_empty: bool, as_json: bool) -> None:
    """Show the queue live, until Ctrl-C. With --json: one line per change."""
    seen = snapshots(QueueClient(), limit, every, until_empty=until_empty)
    try:
        watch_json(seen) if as_json else watch_table(seen, console())
    except KeyboardInterrupt:
        sys.exit(130 if until_empty else 0)


COMMANDS = (ls, show, why, watch)
