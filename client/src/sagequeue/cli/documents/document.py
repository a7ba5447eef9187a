"""What the commands about documents of operators have in common: show, check and apply."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import click

from sagequeue.api.document_errors import BadDocument
from sagequeue.cli.console import print_json
from sagequeue.contract.documents import Document

document_file = click.argument("file", type=click.File(encoding="utf-8"))
replaces_option = click.option("--replaces", type=click.IntRange(min=0), help="Only if this version is in force.")


def print_document(in_force: Document, *, as_json: bool) -> None:
    """Its text can be edited and applied again; what is not its text goes to standard error."""
    if as_json:
        print_json(in_force)
        return
    click.echo(in_force["text"].rstrip())
    author = f", by {in_force['changed_by']} at {in_force['changed_at']}" if in_force["version"] else ", nobody set any"
    click.echo(f"version {in_force['version']}{author}", err=True)


def print_applied(in_force: Document, *, as_json: bool) -> None:
    if as_json:
        print_json(in_force)
    else:
        click.echo(f"version {in_force['version']} is in force")


@contextmanager
def problems_shown(file: IO[str]) -> Iterator[None]:
    """Writes one line for each problem of a refused document, as compilers do."""
    try:
        yield
    except BadDocument as error:
        for problem in error.problems:
            place = f"{file.name}:{problem['line']}" if problem["line"] else file.name
            click.echo(f"{place}: {problem['field']} {problem['message']}", err=True)
        raise
