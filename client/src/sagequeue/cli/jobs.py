"""`sagequeue ls`, `show`, `why` and `watch`: show jobs and the reasons for their states."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, cast

import click
from botocore.exceptions import BotoCoreError, ClientError
from rich.console import Console
from rich.live import Live

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import console, echo, json_option, print_answer, print_job, print_line_of_json
from sagequeue.cli.options import one_job
from sagequeue.contract.jobs import FINISHED, UNFINISHED, Job, JobFilter, Listing
from sagequeue.jobs.trials import read_trials
from sagequeue.tables.arrays import arrays_view
from sagequeue.tables.comments import comment_on
from sagequeue.tables.explanations import explanation_view
from sagequeue.tables.jobs import queue_view
from sagequeue.tables.trials import trials_view

#: The states in which a program may have reported saves.
_SAVING = frozenset({"running", "stopping"})


def not_empty(_context: click.Context, _parameter: click.Parameter, text: str | None) -> str | None:
    """Refuses an empty value, so that an empty variable in a script does not count as an omitted option."""
    if text == "":
        raise click.BadParameter("The value is empty. Give a value, or omit the option.")
    return text


_FILTERS = (
    click.option(
        "--state",
        type=click.Choice([*UNFINISHED, *sorted(FINISHED)]),
        multiple=True,
        help="State of the jobs; repeatable.",
    ),
    click.option("--owner", callback=not_empty, help="Owner of the jobs: a name shown by `ls`, a role, or an ARN."),
    click.option("--mine", is_flag=True, help="Select only the jobs of your role or user."),
    click.option("--team", callback=not_empty, help="Team of the jobs, as named in the configuration's shares."),
    click.option("--name", callback=not_empty, help="Prefix of the jobs' names."),
    click.option(
        "--array",
        callback=not_empty,
        help="Array that the jobs belong to. This does not select jobs that the queue has not created yet.",
    ),
    click.option("--type", "instance_type", callback=not_empty, help="Instance type that the jobs request."),
)
limit_option = click.option(
    "--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="Maximum number of jobs."
)


def takes_filters(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_FILTERS):
        command = option(command)
    return command


def given(filters: Mapping[str, Any]) -> JobFilter:
    """Returns only the filters that the user set."""
    return cast(JobFilter, {name: value for name, value in filters.items() if value})


@click.command()
@takes_filters
@limit_option
@click.option("--next", "token", help="Token of the page to show: `next` in the previous page's JSON.")
@json_option
def ls(limit: int, token: str | None, *, as_json: bool, **filters: Any) -> None:
    """List live jobs, then waiting jobs in queue order, then ended jobs, the most recently ended first.

    Without a filter, each unfinished array takes one line; --array lists its jobs. The JSON output includes the jobs in
    arrays.
    """
    queue, wanted = QueueClient(), given(filters)
    hides_children = not wanted and not as_json
    if hides_children:
        wanted = {"children": False}
    page = queue.page(limit=limit, token=token, **wanted)
    while page["next"] and not page["jobs"]:  # no job on this page matches the filters
        page = queue.page(limit=limit, token=page["next"], **wanted)
    if hides_children and token is None:
        unfinished = [array for array in queue.arrays() if array["state"] != "ended"]
        if unfinished:
            console().print(arrays_view(unfinished, datetime.now(UTC)))
    print_answer(
        page,
        lambda page: queue_view(page, datetime.now(UTC), is_filtered=not hides_children and bool(wanted)),
        as_json=as_json,
    )


@click.command()
@one_job
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown, for a comment on a pull request.")
@json_option
def show(name: str, *, as_markdown: bool, as_json: bool) -> None:
    """Show one job, its attempts and the reason for its state. For a tuning job, also show its trials."""
    queue = QueueClient()
    job = queue.get(name)
    if as_markdown:
        echo(comment_on(job), nl=False)
        return
    print_job(job, as_json=as_json)
    if job.get("tuning") and job["attempts"] and not as_json:
        _print_trials(job, queue)


@click.command()
@one_job
@json_option
def why(name: str, *, as_json: bool) -> None:
    """Explain why a job is waiting: the jobs it waits for, its priority factors, and its expected start."""
    queue = QueueClient()
    explanation = queue.why(name)
    job = queue.get(name) if explanation["state"] in _SAVING and not as_json else None
    print_answer(explanation, lambda found: explanation_view(found, job, datetime.now(UTC)), as_json=as_json)


@click.command()
@click.option("--every", type=click.FloatRange(min=0), default=2.0, show_default=True, help="Seconds between updates.")
@click.option("--until-empty", is_flag=True, help="Exit when all jobs and arrays have ended.")
@limit_option
@json_option
def watch(every: float, limit: int, *, until_empty: bool, as_json: bool) -> None:
    """Show the queue live until Ctrl-C. With --json, print one line of JSON per change."""
    pages = snapshots(QueueClient(), limit, every, until_empty=until_empty)
    try:
        watch_json(pages) if as_json else watch_table(pages, console())
    except KeyboardInterrupt:
        sys.exit(130 if until_empty else 0)


COMMANDS = (ls, show, why, watch)


def _print_trials(job: Job, queue: QueueClient) -> None:
    """Prints the trials as SageMaker lists them, or the reason why they cannot be listed."""
    try:
        trials = read_trials(job, queue.session.client("sagemaker", region_name=queue.region))
    except (BotoCoreError, ClientError) as error:
        is_denied = isinstance(error, ClientError) and error.response["Error"]["Code"].startswith("AccessDenied")
        remedy = " Your role needs DescribeTuningJobs." if is_denied else ""
        echo(f"\nSageMaker does not list the trials: {error}.{remedy}", err=True)
        return
    console().print()
    console().print(trials_view(trials))


def snapshots(queue: QueueClient, limit: int, every: float, *, until_empty: bool) -> Iterator[Listing]:
    """Yields the list of jobs every `every` seconds. With `until_empty`, stops when all jobs and arrays have ended."""
    while True:
        page = queue.page(limit=limit)
        yield page
        if until_empty and _is_empty(queue, page):
            return
        time.sleep(every)


def _is_empty(queue: QueueClient, page: Listing) -> bool:
    """Returns whether all jobs have ended, also those that the queue has not created for its arrays yet."""
    if any(job["state"] not in FINISHED for job in page["jobs"]):  # lists begin with unfinished jobs
        return False
    return all(array["state"] == "ended" for array in queue.arrays())


def watch_table(pages: Iterable[Listing], console: Console) -> None:
    """Updates the table in place on a terminal. Otherwise, prints the table again after each change."""
    if not console.is_terminal:
        for page in _changes(pages):
            console.print(queue_view(page, datetime.now(UTC)))
        return
    with Live(console=console, auto_refresh=False) as live:
        for page in pages:
            live.update(queue_view(page, datetime.now(UTC)), refresh=True)


def watch_json(pages: Iterable[Listing]) -> None:
    """Prints one line of JSON for each change."""
    for page in _changes(pages):
        print_line_of_json(page)


def _changes(pages: Iterable[Listing]) -> Iterator[Listing]:
    last = None
    for page in pages:
        if page != last:
            yield page
        last = page
