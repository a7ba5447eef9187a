"""Arguments and printing that all commands on operators' documents share."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import click

from sagequeue.api.document_errors import BadDocument
from sagequeue.cli.console import print_json
from sagequeue.contract.documents import Document

document_file = click.argument("file", type=click.File(encoding="utf-8"))
replaces_option = click.option(
    "--replaces", type=click.IntRange(min=0), help="Apply only if this is the current version."
)


def print_document(document: Document, *, as_json: bool) -> None:
    """Prints the text, which can be edited and applied again; version and author go to standard error."""
    if as_json:
        print_json(document)
        return
    click.echo(document["text"].rstrip())
    author = f", by {document['changed_by']} at {document['changed_at']}" if document["version"] else ", default"
    click.echo(f"version {document['version']}{author}", err=True)


def print_applied(document: Document, *, as_json: bool) -> None:
    if as_json:
        print_json(document)
    else:
        click.echo(f"Applied version {document['version']}")


@contextmanager
def problems_shown(file: IO[str]) -> Iterator[None]:
    """Prints one line for each problem of a refused document, with file and line number."""
    try:
        yield
    except BadDocument as error:
        for problem in error.problems:
            place = f"{file.name}:{problem['line']}" if problem["line"] else file.name
            click.echo(f"{place}: {problem['field']} {problem['message']}", err=True)
        raise
