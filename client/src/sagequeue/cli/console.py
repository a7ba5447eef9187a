"""Prints results: tables for people, the API's JSON for programs."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import click
from rich.console import Console, RenderableType

from sagequeue.contract.jobs import Job
from sagequeue.tables.jobs import job_view

#: Without a known width, lines are neither cut nor wrapped up to this one.
WIDTH_OF_A_PIPE = 240

json_option = click.option("--json", "as_json", is_flag=True, help="Print the API's JSON, for programs.")


def console() -> Console:
    """Returns standard output; rich omits colours in pipes, and everywhere if NO_COLOR is set."""
    found = Console(highlight=False)
    has_width = found.is_terminal or "COLUMNS" in os.environ
    return found if has_width else Console(highlight=False, width=WIDTH_OF_A_PIPE)


def print_view(view: RenderableType) -> None:
    console().print(view)


def print_json(answer: Mapping[str, object] | Sequence[Mapping[str, object]]) -> None:
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False))


def print_job(job: Job, *, as_json: bool) -> None:
    if as_json:
        print_json(job)
    else:
        print_view(job_view(job, datetime.now(UTC)))


def print_jobs(jobs: Sequence[Job], *, as_json: bool) -> None:
    """Prints jobs; as JSON always a list, even of one job."""
    if as_json:
        print_json(jobs)
        return
    for index, job in enumerate(jobs):
        if index:
            click.echo()
        print_job(job, as_json=False)


def is_terminal() -> bool:
    """Returns whether the command can ask for a confirmation."""
    return sys.stdin.isatty()
