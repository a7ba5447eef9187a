"""`sagequeue pools`: warm pools, and the rules for them."""

from datetime import UTC, datetime
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
from sagequeue.tables.warm_pools import pools_view, refusals


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def pools(ctx: click.Context, *, as_json: bool) -> None:
    """List warm pools: instances that SageMaker keeps after a job, and bills."""
    if ctx.invoked_subcommand is None:
        found = QueueClient().pools()
        print_json(found) if as_json else print_view(pools_view(found, datetime.now(UTC)))


@pools.group()
def rules() -> None:
    """Show and change the pool rules: which jobs leave warm pools, and for how long."""


@rules.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the current pool rules; they can be edited and applied again."""
    print_document(QueueClient().pool_rules(), as_json=as_json)


@rules.command()
@document_file
@replaces_option
@json_option
def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
    """Apply the pool rules in FILE, as a whole or not at all."""
    queue = QueueClient()
    with problems_shown(file):
        print_applied(queue.apply_pool_rules(file.read(), replaces), as_json=as_json)
    for line in refusals(queue.pools()):
        click.echo(line, err=True)


COMMANDS = (pools,)
