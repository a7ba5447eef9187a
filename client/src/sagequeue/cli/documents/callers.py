"""`sagequeue whoami` and `sagequeue callers`: permissions in the queue."""

from collections.abc import Iterator
from typing import IO

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import json_option, print_json
from sagequeue.cli.documents.document import (
    document_file,
    print_applied,
    print_document,
    problems_shown,
    replaces_option,
)
from sagequeue.contract.callers import WhoAmI
from sagequeue.tables.rules import dry_run_lines


@click.command()
@json_option
def whoami(*, as_json: bool) -> None:
    """Show your identity and your permissions in the queue."""
    you = QueueClient().whoami()
    if as_json:
        print_json(you)
    else:
        for line in _lines(you):
            click.echo(line)


@click.group()
def callers() -> None:
    """Show, check and change the callers document (permissions); for operators."""


@callers.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the current callers document; it can be edited and applied again."""
    print_document(QueueClient().callers(), as_json=as_json)


@callers.command()
@document_file
@json_option
def check(file: IO[str], *, as_json: bool) -> None:
    """Show the effect of FILE on waiting and running jobs, and on you, without applying it."""
    with problems_shown(file):
        dry_run = QueueClient().check_callers(file.read())
    if as_json:
        print_json(dry_run)
    else:
        for line in (*dry_run_lines(dry_run), "your permissions under it:", *_lines(dry_run["you"])):
            click.echo(line)


@callers.command()
@document_file
@replaces_option
@click.option("--hand-over", is_flag=True, help="Apply it even if you would no longer be an operator.")
@json_option
def apply(file: IO[str], replaces: int | None, *, hand_over: bool, as_json: bool) -> None:
    """Apply the callers document in FILE, as a whole or not at all."""
    with problems_shown(file):
        document = QueueClient().apply_callers(file.read(), replaces, hand_over=hand_over)
    print_applied(document, as_json=as_json)


COMMANDS = (whoami, callers)


def _lines(you: WhoAmI) -> Iterator[str]:
    ceiling = "any" if you["priority_ceiling"] is None else f"at most {you['priority_ceiling']}"
    types = "any of the budget" if you["instance_types"] is None else ", ".join(you["instance_types"])
    yield f"caller            {you['principal'] or you['arn']}"
    yield f"entry             {you['entry']}"
    yield f"may               {', '.join(you['verbs']) or 'nothing'}"
    yield f"teams             {', '.join(you['teams']) or 'none'}"
    yield f"execution roles   {', '.join(you['execution_roles'])}"
    yield f"instance types    {types}"
    yield f"priority          {ceiling}"
