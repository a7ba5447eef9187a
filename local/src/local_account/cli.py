"""`sagequeue local …`: the commands of the local account."""

import json
import shlex
import shutil
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TextIO

import click
from rich.console import Console
from rich.table import Column, Table

from local_account.account import LocalAccount
from local_account.errors import AccountError
from local_account.logs import Log, find_logs
from local_account.status import read_status, running_jobs
from sagequeue.visible_text import visible

# Otherwise, SDKs would combine the caller's profile or session token with the account's keys.
CONFLICTING_VARIABLES = ("AWS_PROFILE", "AWS_SESSION_TOKEN")

POLL_SECONDS = 1.0


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except AccountError as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=_Commands)
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder that holds the local account.  [CHECKOUT/.local]",
)
@click.pass_context
def local(ctx: click.Context, home: Path | None) -> None:
    """Run an AWS account on this machine, with the queue deployed."""
    ctx.obj = home


@local.command()
@click.option("--fresh", is_flag=True, help="Remove all jobs, objects, logs and settings first.")
@click.option("--budget", help="Instance budget of the queue.  [ml.m5.large=2]")
@click.option("--port", type=click.IntRange(1, 65_535), help="Port of the emulated AWS services.  [4566]")
@click.option("--sagemaker-port", type=click.IntRange(1, 65_535), help="Port of the emulated SageMaker.  [4567]")
@click.option("--startup-seconds", type=float, help="Seconds until a training job gets its instances.  [3]")
@click.option("--rate-factor", type=float, help="Factor for SageMaker's request rates.  [1]")
@click.option("--sweep-rate", help="How often the sweep runs.  [rate(1 minute)]")
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Other stack parameter, as NAME=VALUE; repeatable. NAME alone removes its previous value.",
)
@click.option("--config", type=click.File(encoding="utf-8"), help="Configuration to apply after the deployment.")
@click.pass_context
def up(
    ctx: click.Context, /, *, fresh: bool, parameters: tuple[str, ...], config: TextIO | None, **options: Any
) -> None:
    """Start the servers, and deploy the current code.

    Omitted options keep their previous values, and the queue keeps its configuration.
    """
    if fresh:
        LocalAccount(home=ctx.obj).forget()
    given = {name: value for name, value in options.items() if value is not None}
    last = LocalAccount(home=ctx.obj).settings
    chosen = chosen_parameters(last.parameters, parameters)
    if kept := kept_text(chosen, parameters):
        click.echo(kept)
    account = LocalAccount(replace(last, **given, parameters=chosen), home=ctx.obj)
    account.up(announce=click.echo, config=config.read() if config else None)
    chosen_home = f" --home {shlex.quote(str(ctx.obj))}" if ctx.obj else ""
    command = _command()
    click.echo(f'Up. For this shell: eval "$({command} local{chosen_home} env)", then {command} ls')


@local.command()
@click.option("-y", "--yes", is_flag=True, help="Do not ask for confirmation if training jobs are running.")
@click.pass_obj
def down(home: Path | None, *, yes: bool) -> None:
    """Stop everything and keep the queue. Running training jobs will show as failed."""
    account = LocalAccount(home=home)
    jobs = running_jobs(account)
    if jobs:
        click.echo(f"These training jobs are running and will show as failed: {', '.join(jobs)}", err=True)
        if not yes and is_terminal():
            click.confirm("Stop them?", abort=True, err=True)
    click.echo("Stopped." if account.down() else "Nothing was running.")


@local.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def status(home: Path | None, *, as_json: bool) -> None:
    """Show the components, with process ids and URLs."""
    components = read_status(LocalAccount(home=home))
    if as_json:
        click.echo(json.dumps([asdict(component) for component in components], indent=2))
        return
    table = Table("component", "state", "pid", Column("url", overflow="fold"))
    for component in components:
        table.add_row(component.name, component.state, str(component.pid or ""), component.url or "")
    Console().print(table)


@local.command()
@click.pass_obj
def env(home: Path | None) -> None:
    """Print the environment variables for your shell: eval "$(sagequeue local env)"."""
    variables = LocalAccount(home=home).env()
    click.echo(f"unset {' '.join(CONFLICTING_VARIABLES)}")
    for name, value in variables.items():
        click.echo(f"export {name}={shlex.quote(value)}")


@local.command()
@click.argument("name", default="")
@click.option("-f", "--follow", is_flag=True, help="Keep showing new lines until Ctrl-C.")
@click.option(
    "-n",
    "--lines",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Number of lines to show from each log.",
)
@click.pass_obj
def logs(home: Path | None, *, name: str, follow: bool, lines: int) -> None:
    """Show the logs of the servers, sam, each function and the training jobs.

    NAME is part of a log's name, such as ministack, sagemaker, schedule or TrainingJobs.
    """
    found = _find_logs(LocalAccount(home=home), name)
    for log in found:
        _print_lines(log, log.read_new()[-lines:])
    with suppress(KeyboardInterrupt):  # Ctrl-C ends it
        while follow:
            time.sleep(POLL_SECONDS)
            for log in found:
                _print_lines(log, log.read_new())


def chosen_parameters(last: Mapping[str, str], texts: Iterable[str]) -> dict[str, str]:
    """Returns the previous parameters, changed by each NAME=VALUE. A NAME without a value removes its parameter."""
    chosen = dict(last)
    for text in texts:
        name, equals, value = text.partition("=")
        if equals:
            chosen[name] = value
        elif chosen.pop(name, None) is None:
            problem = f"{text!r} is not NAME=VALUE, and no value of it is kept"
            raise click.BadParameter(problem, param_hint="--parameter")
    return chosen


def kept_text(chosen: Mapping[str, str], texts: Iterable[str]) -> str | None:
    """Returns a text about the parameters that keep their previous values; None if there are none."""
    given = {text.partition("=")[0] for text in texts}
    kept = {name: value for name, value in chosen.items() if name not in given}
    if not kept:
        return None
    values = ", ".join(f"{name}={value}" for name, value in kept.items())
    return f"Kept from the last start: {values}. To remove one: --parameter {next(iter(kept))}"


def is_terminal() -> bool:
    """Returns whether a person can answer a question at the terminal."""
    return sys.stdin.isatty()


def _command() -> str:
    """Returns the command in a form that this shell can find: with its folder, unless the folder is on the PATH."""
    return "sagequeue" if shutil.which("sagequeue") else shlex.quote(str(Path(sys.executable).with_name("sagequeue")))


def _find_logs(account: LocalAccount, name: str) -> list[Log]:
    has_cloudwatch = "ministack" in account.running()
    client = account.session().client("logs", endpoint_url=account.settings.endpoint) if has_cloudwatch else None
    found = find_logs(account.paths.logs, client, name)
    if not found:
        raise AccountError(f"no log has {name!r} in its name" if name else "no logs yet; run `sagequeue local up`")
    return found


def _print_lines(log: Log, lines: list[str]) -> None:
    for line in lines:
        click.echo(f"{click.style(log.name, fg='cyan')} {visible(line)}")
