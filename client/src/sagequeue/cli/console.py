"""Prints results and errors: tables for people, and the API's JSON and exit codes for programs."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from sagequeue.contract.jobs import Job
from sagequeue.errors import (
    AccessDenied,
    CredentialsMissing,
    NotAQueue,
    NotConfigured,
    QueueError,
    QueueUnreachable,
    RuleViolated,
    Unavailable,
    UnknownArray,
    UnknownJob,
)
from sagequeue.tables.jobs import job_view
from sagequeue.visible_text import visible, visible_json

#: If the terminal's width is unknown, lines up to this width are neither cut nor wrapped.
WIDTH_OF_A_PIPE = 240

Json = Mapping[str, object] | Sequence[Mapping[str, object]]
Answer = TypeVar("Answer", bound=Json)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text, for use by programs.")
#: The first class that matches determines the code. Other refusals exit with 1, and click's usage errors with 2.
_EXIT_CODES: tuple[tuple[type[QueueError], int], ...] = (
    (UnknownJob, 3),
    (UnknownArray, 3),
    (NotConfigured, 4),
    (CredentialsMissing, 4),
    (AccessDenied, 4),
    (NotAQueue, 4),
    (QueueUnreachable, 5),
    (Unavailable, 5),
)


def echo(text: str = "", *, err: bool = False, nl: bool = True, dim: bool | None = None) -> None:
    """Prints a text and escapes control characters, which jobs may contain. Commands print only through this module."""
    click.secho(visible(text), err=err, nl=nl, dim=dim)


def print_line_of_json(answer: object) -> None:
    click.echo(visible_json(json.dumps(answer, ensure_ascii=False)))


def print_answer(answer: Answer, view: Callable[[Answer], RenderableType], *, as_json: bool) -> None:
    """Prints an API answer as JSON or as a table."""
    if as_json:
        print_json(answer)
    else:
        console().print(view(answer))


def print_lines(answer: Answer, lines: Callable[[Answer], Iterable[str]], *, as_json: bool) -> None:
    """Prints an API answer as JSON or as lines of text."""
    if as_json:
        print_json(answer)
        return
    for line in lines(answer):
        echo(line)


def print_json(answer: Json) -> None:
    click.echo(visible_json(json.dumps(answer, indent=2, ensure_ascii=False)))


def print_job(job: Job, *, as_json: bool) -> None:
    print_answer(job, lambda job: job_view(job, datetime.now(UTC)), as_json=as_json)


def print_jobs(jobs: Sequence[Job], *, as_json: bool) -> None:
    """Prints jobs as a table, or as a JSON list, even if there is only one job."""
    if as_json:
        print_json(jobs)
        return
    for index, job in enumerate(jobs):
        if index:
            echo()
        print_job(job, as_json=False)


def console() -> Console:
    """Returns the console for standard output. In pipes, and if `NO_COLOR` is set, rich prints no colours."""
    found = _VisibleConsole(highlight=False)
    has_width = found.is_terminal or "COLUMNS" in os.environ
    return found if has_width else _VisibleConsole(highlight=False, width=WIDTH_OF_A_PIPE)


class _VisibleConsole(Console):
    """Prints no control characters except those that rich itself adds."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)


def is_terminal() -> bool:
    """Returns whether the command can ask the user for a confirmation."""
    return sys.stdin.isatty()


def show_error(error: QueueError) -> None:
    for violation in error.violations if isinstance(error, RuleViolated) else ():
        echo(f"{violation['rule']}: {violation['message'].rstrip('.')}. {violation['remedy']}", err=True)
    show_message(error.message, error.remedy)


def exit_code(error: QueueError) -> int:
    return next((code for kind, code in _EXIT_CODES if isinstance(error, kind)), 1)


def show_message(message: str, remedy: str) -> None:
    echo(f"Error: {message}", err=True)
    if remedy:
        echo(remedy, err=True)
