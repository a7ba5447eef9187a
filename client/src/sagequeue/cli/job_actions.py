"""`sagequeue cancel`, `hold`, `release`, `prio`, `top` and `requeue`: act on jobs."""

import sys
from collections.abc import Callable, Iterable
from typing import Any, cast

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import exit_code, is_terminal, json_option, print_job, print_jobs, print_json, show_error
from sagequeue.cli.jobs import given, takes_filters
from sagequeue.cli.options import any_jobs, one_job, some_jobs
from sagequeue.contract.jobs import UNFINISHED, Cancellations, Job, JobFilter
from sagequeue.errors import QueueRefusal

_SHOWN = 10


@click.command()
@any_jobs
@takes_filters
@click.option("-y", "--yes", is_flag=True, help="With a filter: cancel without confirmation.")
@json_option
def cancel(names: tuple[str, ...], *, yes: bool, as_json: bool, **filters: Any) -> None:
    """Remove jobs from the queue, or stop them: by name, or all unfinished jobs that match a filter."""
    wanted = given(filters)
    if bool(names) == bool(wanted):
        raise click.UsageError("Name jobs, or set a filter such as --state pending, --owner or --name.")
    if names:
        _each(names, QueueClient().cancel, as_json=as_json)
    else:
        _cancel_all(cast(JobFilter, {"state": UNFINISHED, **wanted}), yes=yes, as_json=as_json)


@click.command()
@some_jobs
@json_option
def hold(names: tuple[str, ...], *, as_json: bool) -> None:
    """Keep waiting jobs from starting until they are released."""
    _each(names, QueueClient().hold, as_json=as_json)


@click.command()
@some_jobs
@json_option
def release(names: tuple[str, ...], *, as_json: bool) -> None:
    """Put held jobs back into the queue."""
    _each(names, QueueClient().release, as_json=as_json)


@click.command()
@some_jobs
@json_option
def top(names: tuple[str, ...], *, as_json: bool) -> None:
    """Move waiting jobs before all other jobs of their priority, in the given order."""
    _each(tuple(reversed(names)), QueueClient().top, as_json=as_json)


@click.command()
@some_jobs
@json_option
def requeue(names: tuple[str, ...], *, as_json: bool) -> None:
    """Stop running jobs and queue them again; also retries failed, stopped and parked jobs."""
    _each(names, QueueClient().requeue, as_json=as_json)


@click.command(context_settings={"ignore_unknown_options": True})  # so that -5 is a priority
@one_job
@click.argument("priority", type=int)
@json_option
def prio(name: str, priority: int, *, as_json: bool) -> None:
    """Change the priority of an unfinished job; higher starts first."""
    print_job(QueueClient().set_priority(name, priority), as_json=as_json)


COMMANDS = (cancel, hold, release, prio, top, requeue)


def _each(names: Iterable[str], change: Callable[[str], Job], *, as_json: bool) -> None:
    """Changes jobs one by one, then prints the refusals; the first refusal sets the exit code."""
    changed: list[Job] = []
    refused: list[QueueRefusal] = []
    try:
        for name in names:
            try:
                changed.append(change(name))
            except QueueRefusal as error:
                refused.append(error)
    finally:
        print_jobs(changed, as_json=as_json)
    for refusal in refused:
        show_error(refusal)
    if refused:
        sys.exit(exit_code(refused[0]))


def _cancel_all(wanted: JobFilter, *, yes: bool, as_json: bool) -> None:
    queue = QueueClient()
    if not yes:
        _ask(queue, wanted)
    done: Cancellations = {"cancelled": [], "refused": [], "more": False}
    try:
        while True:  # a batch at a time, until no further job can be cancelled
            answer = queue.cancel_many(**wanted)
            done["cancelled"] += answer["cancelled"]
            done["refused"] += answer["refused"]
            done["more"] = answer["more"]
            if not answer["more"] or not answer["cancelled"]:
                break
    finally:
        _report(done, as_json=as_json)
    sys.exit(1 if done["refused"] else 0)


def _ask(queue: QueueClient, wanted: JobFilter) -> None:
    if not is_terminal():
        raise click.UsageError("No terminal for a confirmation: add --yes to cancel every job that matches the filter.")
    page = queue.page(limit=200, **wanted)
    names = [job["name"] for job in page["jobs"]]
    if not names:
        click.echo("No jobs match.", err=True)
        sys.exit(0)
    for name in names[:_SHOWN]:
        click.echo(f"  {name}", err=True)
    count = f"{len(names)}{' or more' if page['next'] else ''}"
    click.confirm(f"Cancel {count} {'job' if count == '1' else 'jobs'}?", abort=True, err=True)


def _report(answer: Cancellations, *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    for name in answer["cancelled"]:
        click.echo(f"{name} cancelled")
    for refusal in answer["refused"]:
        click.echo(f"{refusal['name']} not cancelled: {refusal['message']}", err=True)
    if not answer["cancelled"] and not answer["refused"]:
        click.echo("No jobs match.", err=True)
