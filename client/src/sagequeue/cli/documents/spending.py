"""`sagequeue spending`: what may be spent in a month, and what has been."""

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
    """List how far the limits on GPU hours and dollars of this month are used, with a forecast."""
    if ctx.invoked_subcommand is None:
        found = QueueClient().spending()
        print_json(found) if as_json else print_view(spending_view(found))


@spending.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the document that is in force: it can be edited and applied again."""
    print_document(QueueClient().spending(), as_json=as_json)


@spending.command()
@document_file
@replaces_option
@json_option
def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
    """Put the limits in FILE into force, as a whole or not at all."""
    with problems_shown(file):
        print_applied(QueueClient().apply_spending(file.read(), replaces), as_json=as_json)


COMMANDS = (spending,)
