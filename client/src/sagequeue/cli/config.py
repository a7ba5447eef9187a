"""`sagequeue config`: shows, plans, applies and compares versions of the configuration."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from itertools import islice

import click
from rich.console import RenderableType

from sagequeue.api.client import QueueClient
from sagequeue.api.config_errors import BadConfig
from sagequeue.cli.config_files import ConfigText, read_config
from sagequeue.cli.console import console, echo, json_option, print_answer, print_json
from sagequeue.contract.config import Config
from sagequeue.migration import batch as batch_migration
from sagequeue.tables.config import difference, plan_lines, versions_view, yaml_text
from sagequeue.tables.formats import local_time
from sagequeue.tables.queue import refusals

#: The exit code of `drift` if the file differs from the current configuration. No error has this code.
DRIFT = 6
_VERSION = click.IntRange(0, 99_999_999)

_file_argument = click.argument("path", metavar="FILE|FOLDER", type=click.Path(allow_dash=True))
_comment_option = click.option("--comment", default="", help="Reason for the change; `config log` shows it.")


@click.group()
def config() -> None:
    """Show, plan and change the configuration: the operators' settings, stored as numbered versions. FILE is YAML or
    JSON, with one section for each kind of settings to change. Use - to read standard input. If you name a folder, the
    command joins all its *.yaml and *.yml files.
    """


@config.command()
@click.argument("kind", required=False)
@click.option("--version", type=_VERSION, help="Number of the version to show.  [current]")
@json_option
def show(kind: str | None, version: int | None, *, as_json: bool) -> None:
    """Print the configuration, or only its section KIND, as YAML that you can edit and apply again."""
    found = QueueClient().config(kind, version)
    if as_json:
        print_json(found)
        return
    echo(yaml_text(found["sections"]), nl=False)
    at = f" at {local_time(found['applied_at'])}" if found["applied_at"] else ""
    author = f", by {found['author']}{at}" if found["version"] else ", default"
    echo(f"version {found['version']}{author}", err=True)


@config.command()
@_file_argument
@json_option
def plan(path: str, *, as_json: bool) -> None:
    """Show the effect of FILE without applying it: changed settings, affected jobs and the next cycle's decisions."""
    queue, file = QueueClient(), read_config(path)
    with _problems_shown(file):
        found = queue.plan_config(file.text)
    if as_json:
        print_json(found)
        return
    _print(plan_lines(found, queue.whoami(), file.name))
    if found["changed"]:
        echo(f"To apply exactly this plan, add --replaces {found['version']} to `sagequeue config apply`.", err=True)


@config.command()
@_file_argument
@_comment_option
@click.option("--replaces", type=_VERSION, help="Apply only if this is the current version.")
@json_option
def apply(path: str, comment: str, replaces: int | None, *, as_json: bool) -> None:
    """Apply FILE, in full or not at all. Sections that FILE omits stay unchanged."""
    queue, file = QueueClient(), read_config(path)
    before = _newest(queue)
    with _problems_shown(file):
        found = queue.apply_config(file.text, replaces=replaces, comment=comment)
    _print_applied(queue, found, before, as_json=as_json)


@config.command()
@click.argument("kind", required=False)
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Maximum number of versions.")
@json_option
def log(kind: str | None, limit: int, *, as_json: bool) -> None:
    """List the versions, newest first. With KIND, list only the versions that changed that section."""
    print_answer(list(islice(QueueClient().config_versions(kind), limit)), versions_view, as_json=as_json)


@config.command()
@click.argument("first", metavar="A", type=_VERSION)
@click.argument("second", metavar="B", type=_VERSION)
def diff(first: int, second: int) -> None:
    """Show what changed from version A to version B."""
    queue = QueueClient()
    before, after = queue.config(version=first), queue.config(version=second)
    names = f"version {first}", f"version {second}"
    _print(difference(before["sections"], after["sections"], names))


@config.command()
@click.argument("version", type=_VERSION)
@_comment_option
@json_option
def rollback(version: int, comment: str, *, as_json: bool) -> None:
    """Apply an older VERSION again, as a new version."""
    queue = QueueClient()
    before = _newest(queue)
    _print_applied(queue, queue.roll_back_config(version, comment=comment), before, as_json=as_json)


@config.command()
@_file_argument
@json_option
@click.pass_context
def drift(ctx: click.Context, path: str, *, as_json: bool) -> None:
    """Compare FILE with the current configuration, for example in CI.

    Sections that FILE omits are not compared. Exit codes: 0 for no drift, 6 for drift, any other code for an error.
    """
    file = read_config(path)
    with _problems_shown(file):
        found = QueueClient().plan_config(file.text)
    if as_json:
        print_json(found)
    elif found["changed"]:
        _print(difference(found["before"], found["after"], (f"version {found['version']}", file.name)))
    else:
        echo(f"No drift: version {found['version']} is current.")
    ctx.exit(DRIFT if found["changed"] else 0)


@config.command()
def schema() -> None:
    """Print the JSON schema of configuration files, for use in editors."""
    echo(files("sagequeue.contract").joinpath("config.schema.json").read_text(encoding="utf-8"), nl=False)


@config.group("import")
def import_() -> None:
    """Convert the settings of another scheduler to a configuration file."""


@import_.command()
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(allow_dash=True))
def batch(paths: tuple[str, ...]) -> None:
    """Convert AWS Batch's quota shares and fair-share policies to YAML, with remarks on the differences.

    FILE is the output of `aws batch list-quota-shares`, `describe-quota-share` or `describe-scheduling-policies`. Use -
    to read standard input. The command calls neither Batch nor the queue.
    """
    try:
        converted = batch_migration.convert(map(_json_of, paths))
    except batch_migration.NotBatch as error:
        raise click.ClickException(f"The input {error}. Pass the JSON output of AWS Batch's commands.") from error
    for remark in converted.remarks:
        echo(f"# {remark}.")
    echo(yaml_text(converted.sections), nl=False)


COMMANDS = (config,)


def _json_of(path: str) -> object:
    file = read_config(path)
    try:
        return json.loads(file.text)
    except ValueError as error:
        raise click.ClickException(f"{file.name} is not JSON: {error}. Use --output json.") from error


@contextmanager
def _problems_shown(file: ConfigText) -> Iterator[None]:
    """If the file is refused, prints one line for each problem, with file and line number."""
    try:
        yield
    except BadConfig as error:
        for problem in error.problems:
            text = f"{problem['field']} {problem['message']}".strip()
            echo(f"{file.place(problem['line'])}: {text}", err=True)
        raise BadConfig(f"{file.name} was refused", error.remedy, error.field, error.problems) from error


def _newest(queue: QueueClient) -> int:
    """Returns the number of the latest version. Does not read that version's sections, which may be unreadable."""
    newest = next(queue.config_versions(), None)
    return newest["version"] if newest else 0


def _print_applied(queue: QueueClient, applied: Config, before: int, *, as_json: bool) -> None:
    if as_json:
        print_json(applied)
        return
    version, changed = applied["version"], applied["changed"]
    if version == before:
        echo(f"Nothing to change: version {version} is current.")
        return
    echo(f"Applied version {version}" + (f": {', '.join(changed)}" if changed else ""))
    if "calendar" in changed and queue.budget()["calendar_rests"]:
        echo("The calendar is on hold: an operator has set a budget, which overrides it.", err=True)
    for line in refusals(queue.pools()) if "pools" in changed else ():
        echo(line, err=True)


def _print(lines: Iterable[RenderableType]) -> None:
    output = console()
    for line in lines:
        output.print(line, soft_wrap=True)  # a wrapped line would look like two lines of a diff
