"""`sagequeue rules`: the operators' rules for training jobs."""

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
from sagequeue.tables.rules import dry_run_lines, findings_view


@click.group()
def rules() -> None:
    """Show, check and change the rules for training jobs."""


@rules.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the current rules; they can be edited and applied again."""
    print_document(QueueClient().rules(), as_json=as_json)


@rules.command()
@document_file
@json_option
def check(file: IO[str], *, as_json: bool) -> None:
    """Show the effect of the rules in FILE on waiting and running jobs, without applying them."""
    with problems_shown(file):
        dry_run = QueueClient().check_rules(file.read())
    if as_json:
        print_json(dry_run)
    else:
        for line in dry_run_lines(dry_run):
            click.echo(line)


@rules.command()
@document_file
@replaces_option
@json_option
def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
    """Apply the rules in FILE, as a whole or not at all."""
    with problems_shown(file):
        print_applied(QueueClient().apply_rules(file.read(), replaces), as_json=as_json)


@rules.command()
@click.option(
    "--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="Maximum number of jobs, newest first."
)
@json_option
def findings(limit: int, *, as_json: bool) -> None:
    """List training jobs started outside the queue that break a rule."""
    found = QueueClient().findings(limit)
    print_json(found) if as_json else print_view(findings_view(found))


COMMANDS = (rules,)
