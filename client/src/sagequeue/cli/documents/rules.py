"""`sagequeue rules`: the operator's rules for training jobs, from a shell."""

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
from sagequeue.tables.rules import findings_view, trial_lines


@click.group()
def rules() -> None:
    """See, try out and change the rules that every training job is held against."""


@rules.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the rules document that is in force: it can be edited and applied again."""
    print_document(QueueClient().rules(), as_json=as_json)


@rules.command()
@document_file
@json_option
def check(file: IO[str], *, as_json: bool) -> None:
    """Say what the rules in FILE would change for the jobs that wait or run. Nothing is changed."""
    with problems_shown(file):
        trial = QueueClient().check_rules(file.read())
    if as_json:
        print_json(trial)
    else:
        for line in trial_lines(trial):
            click.echo(line)


@rules.command()
@document_file
@replaces_option
@json_option
def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
    """Put the rules in FILE into force, as a whole or not at all."""
    with problems_shown(file):
        print_applied(QueueClient().apply_rules(file.read(), replaces), as_json=as_json)


@rules.command()
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="The newest only.")
@json_option
def findings(limit: int, *, as_json: bool) -> None:
    """List training jobs that went round the queue and what the rules had against them."""
    found = QueueClient().findings(limit)
    print_json(found) if as_json else print_view(findings_view(found))


COMMANDS = (rules,)
