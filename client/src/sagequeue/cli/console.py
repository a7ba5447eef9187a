"""Prints results and errors: tables for people, the API's JSON for programs, and exit codes for scripts."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import click
from rich.console import Console, RenderableType

from sagequeue.contract.jobs import Job
from sagequeue.errors import (
    AccessDenied,
    CredentialsMissing,
    NotAQueue,
    NotConfigured,
    QueueError,
    QueueUnreachable,
    RuleViolated,
    UnknownJob,
)
from sagequeue.tables.jobs import job_view

#: Without a known width, lines are neither cut nor wrapped up to this one.
WIDTH_OF_A_PIPE = 240

Json = Mapping[str, object] | Sequence[Mapping[str, object]]
Answer = TypeVar("Answer", bound=Json)

json_option = click.option("--json", "as_json", is_flag=True, help="Print the API's JSON, for programs.")
#: The first match counts. Other refusals exit with 1, and click's usage errors with 2.
_EXIT_CODES: tuple[tuple[type[QueueError], int], ...] = (
    (UnknownJob, 3),
    (NotConfigured, 4),
    (CredentialsMissing, 4),
    (AccessDenied, 4),
    (NotAQueue, 4),
    (QueueUnreachable, 5),
)


def print_answer(answer: Answer, view: Callable[[Answer], RenderableType], *, as_json: bool) -> None:
    """Prints an answer of the API: as JSON, or as a table."""
    if as_json:
        print_json(answer)
    else:
        console().print(view(answer))


def print_lines(answer: Answer, lines: Callable[[Answer], Iterable[str]], *, as_json: bool) -> None:
    """Prints an answer of the API: as JSON, or as lines of text."""
    if as_json:
        print_json(answer)
        return
    for line in lines(answer):
        click.echo(line)


def print_json(answer: Json) -> None:
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False))


def print_job(job: Job, *, as_json: bool) -> None:
    print_answer(job, lambda job: job_view(job, datetime.now(UTC)), as_json=as_json)


def print_jobs(jobs: Sequence[Job], *, as_json: bool) -> None:
    """Prints jobs; as JSON always a list, even of one job."""
    if as_json:
        print_json(jobs)
        return
    for index, job in enumerate(jobs):
        if index:
            click.echo()
        print_job(job, as_json=False)


def console() -> Console:
    """Returns standard output; rich omits colours in pipes, and everywhere if NO_COLOR is set."""
    found = Console(highlight=False)
    has_width = found.is_terminal or "COLUMNS" in os.environ
    return found if has_width else Console(highlight=False, width=WIDTH_OF_A_PIPE)


def is_terminal() -> bool:
    """Returns whether the command can ask for a confirmation."""
    return sys.stdin.isatty()


def show_error(error: QueueError) -> None:
    for violation in error.violations if isinstance(error, RuleViolated) else ():
        click.echo(f"{violation['rule']}: {violation['message'].rstrip('.')}. {violation['remedy']}", err=True)
    show_message(error.message, error.remedy)


def exit_code(error: QueueError) -> int:
    return next((code for kind, code in _EXIT_CODES if isinstance(error, kind)), 1)


def show_message(message: str, remedy: str) -> None:
    click.echo(f"Error: {message}", err=True)
    if remedy:
        click.echo(remedy, err=True)
