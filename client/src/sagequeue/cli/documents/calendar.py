"""`sagequeue calendar`: budgets that change with time, from a shell."""

from typing import IO

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import json_option, print_json, print_view
from sagequeue.cli.documents.document import (
    document_file,
    print_applied,
    print_document,
    problems_shown,
    replaces_option,
)
from sagequeue.tables.queue import periods_view


@click.group()
def calendar() -> None:
    """See, try out and change when the budget is another one."""


@calendar.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the calendar that is in force: it can be edited and applied again."""
    print_document(QueueClient().calendar(), as_json=as_json)


@calendar.command()
@json_option
def ahead(*, as_json: bool) -> None:
    """List the budgets of the weeks to come."""
    in_force = QueueClient().calendar()
    if as_json:
        print_json(in_force)
        return
    print_view(periods_view(in_force["periods"]))
    if in_force["rests"]:
        click.echo("The calendar rests: an operator has set a budget. `sagequeue budget reset` goes back to it.")


@calendar.command()
@document_file
@json_option
def check(file: IO[str], *, as_json: bool) -> None:
    """List the budgets that the calendar in FILE would give in the weeks to come. Nothing is changed."""
    with problems_shown(file):
        trial = QueueClient().check_calendar(file.read())
    if as_json:
        print_json(trial)
    else:
        print_view(periods_view(trial["periods"]))


@calendar.command()
@document_file
@replaces_option
@json_option
def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
    """Put the calendar in FILE into force, as a whole or not at all."""
    with problems_shown(file):
        in_force = QueueClient().apply_calendar(file.read(), replaces)
    print_applied(in_force, as_json=as_json)
    if in_force["rests"]:
        click.echo("It rests: an operator has set a budget, which comes before it.", err=True)


COMMANDS = (calendar,)
