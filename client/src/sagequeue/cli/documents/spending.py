"""`sagequeue spending`: monthly spending limits and their use."""

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
from sagequeue.tables.spending import spending_view


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def spending(ctx: click.Context, *, as_json: bool) -> None:
    """List the use of this month's limits on GPU hours and dollars, with a forecast."""
    if ctx.invoked_subcommand is None:
        found = QueueClient().spending()
        print_json(found) if as_json else print_view(spending_view(found))


@spending.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the current spending limits; they can be edited and applied again."""
    print_document(QueueClient().spending(), as_json=as_json)


@spending.command()
@document_file
@replaces_option
@json_option
def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
    """Apply the spending limits in FILE, as a whole or not at all."""
    with problems_shown(file):
        print_applied(QueueClient().apply_spending(file.read(), replaces), as_json=as_json)


COMMANDS = (spending,)
