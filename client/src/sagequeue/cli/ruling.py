"""`sagequeue rules`: the operator's rules for training jobs, from a shell."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import click

from sagequeue.cli.console import json_option, print_json, print_view
from sagequeue.client import QueueClient
from sagequeue.contract import ChangedVerdict, Trial, Verdict
from sagequeue.errors import BadRules
from sagequeue.tables import findings_view

_file = click.argument("file", type=click.File(encoding="utf-8"))


@click.group()
def rules() -> None:
    """See, try out and change the rules that every training job is held against."""


@rules.command()
@json_option
def show(*, as_json: bool) -> None:
    """Print the rules document that is in force: it can be edited and applied again."""
    in_force = QueueClient().rules()
    if as_json:
        print_json(in_force)
        return
    click.echo(in_force["text"].rstrip())
    author = f", by {in_force['changed_by']} at {in_force['changed_at']}" if in_force["version"] else ", nobody set any"
    click.echo(f"version {in_force['version']}{author}", err=True)


@rules.command()
@_file
@json_option
def check(file: IO[str], *, as_json: bool) -> None:
    """Say what the rules in FILE would change for the jobs that wait or run. Nothing is changed."""
    with _problems_shown(file):
        trial = QueueClient().check_rules(file.read())
    if as_json:
        print_json(trial)
    else:
        for line in _trial_lines(trial):
            click.echo(line)


@rules.command()
@_file
@click.option("--replaces", type=click.IntRange(min=0), help="Only if this version is in force.")
@json_option
def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
    """Put the rules in FILE into force, as a whole or not at all."""
    with _problems_shown(file):
        in_force = QueueClient().apply_rules(file.read(), replaces)
    if as_json:
        print_json(in_force)
    else:
        click.echo(f"version {in_force['version']} is in force")


@rules.command()
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="The newest only.")
@json_option
def findings(limit: int, *, as_json: bool) -> None:
    """List training jobs that went round the queue and what the rules had against them."""
    found = QueueClient().findings(limit)
    print_json(found) if as_json else print_view(findings_view(found))


COMMANDS = (rules,)


@contextmanager
def _problems_shown(file: IO[str]) -> Iterator[None]:
    """Writes one line for each problem of a refused document, as compilers do."""
    try:
        yield
    except BadRules as error:
        for problem in error.problems:
            place = f"{file.name}:{problem['line']}" if problem["line"] else file.name
            click.echo(f"{place}: {problem['field']} {problem['message']}", err=True)
        raise


def _trial_lines(trial: Trial) -> Iterator[str]:
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
