"""`sagequeue calendar`: budgets that change on a schedule."""

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
    """Show, check and change the calendar, which changes the budget on a schedule."""


@calendar.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the current calendar; it can be edited and applied again."""
    print_document(QueueClient().calendar(), as_json=as_json)


@calendar.command()
@json_option
def ahead(*, as_json: bool) -> None:
    """List the budgets of the coming weeks."""
    document = QueueClient().calendar()
    if as_json:
        print_json(document)
        return
    print_view(periods_view(document["periods"]))
    if document["rests"]:
        click.echo("The calendar is on hold: an operator has set a budget. `sagequeue budget reset` resumes it.")


@calendar.command()
@document_file
@json_option
def check(file: IO[str], *, as_json: bool) -> None:
    """List the coming weeks' budgets under the calendar in FILE, without applying it."""
    with problems_shown(file):
        dry_run = QueueClient().check_calendar(file.read())
    if as_json:
        print_json(dry_run)
    else:
        print_view(periods_view(dry_run["periods"]))


@calendar.command()
@document_file
@replaces_option
@json_option
def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
    """Apply the calendar in FILE, as a whole or not at all."""
    with problems_shown(file):
        document = QueueClient().apply_calendar(file.read(), replaces)
    print_applied(document, as_json=as_json)
    if document["rests"]:
        click.echo("The calendar is on hold: an operator has set a budget, which overrides it.", err=True)


COMMANDS = (calendar,)
