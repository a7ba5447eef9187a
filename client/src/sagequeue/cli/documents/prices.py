"""`sagequeue prices`: prices of instances, and the operators' price document."""

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
from sagequeue.tables.spending import prices_view


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def prices(ctx: click.Context, *, as_json: bool) -> None:
    """List the known prices of instances."""
    if ctx.invoked_subcommand is None:
        found = QueueClient().prices()
        print_json(found) if as_json else print_view(prices_view(found))


@prices.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the current price document; it can be edited and applied again."""
    print_document(QueueClient().prices(), as_json=as_json)


@prices.command()
@document_file
@replaces_option
@json_option
def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
    """Apply the prices in FILE, as a whole or not at all; other types keep their known prices."""
    with problems_shown(file):
        print_applied(QueueClient().apply_prices(file.read(), replaces), as_json=as_json)


COMMANDS = (prices,)
