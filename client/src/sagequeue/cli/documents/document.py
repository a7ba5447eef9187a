"""What the commands about documents of operators have in common: show, check and apply."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import click

from sagequeue.cli.console import print_json
from sagequeue.contract import ChangedVerdict, Document, Trial, Verdict
from sagequeue.document_errors import BadDocument

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


def trial_lines(trial: Trial) -> Iterator[str]:
    for job in trial["jobs"]:
        yield f"{job['name']} ({job['state']})"
        yield from _changes(job)
    beyond = "" if trial["complete"] else "; there are more jobs, which were not looked at"
    yield f"{len(trial['jobs'])} of {trial['checked']} jobs would be judged otherwise{beyond}"


def _changes(job: ChangedVerdict) -> Iterator[str]:
    before, after = _texts(job["before"]), _texts(job["after"])
    yield from (f"  - {text}" for text in before if text not in after)
    yield from (f"  + {text}" for text in after if text not in before)


def _texts(verdict: Verdict) -> list[str]:
    violations = [f"violates {one['rule']}: {one['message']}" for one in verdict["violations"]]
    return violations + [f"warning of {one['rule']}: {one['message']}" for one in verdict["warnings"]]
