"""`sagequeue local …`: the local account from a shell."""

import json
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from local_account import status as account_status
from local_account.account import LocalAccount
from local_account.environment import account_session
from local_account.errors import AccountError
from local_account.logs import Log, find_logs

# A profile or a session token of the caller's would be used beside our keys.
IN_THE_WAY = ("AWS_PROFILE", "AWS_SESSION_TOKEN")

POLL_SECONDS = 1.0


@click.group()
def local() -> None:
    """A whole AWS account on this machine, with the queue deployed."""


@local.command()
@click.option("--fresh", is_flag=True, help="Forget all jobs, objects, logs and settings first.")
@click.option("--budget", help="The queue's instance budget.  [ml.m5.large=2]")
@click.option("--port", type=int, help="Where AWS answers.  [4566]")
@click.option("--sagemaker-port", type=int, help="Where SageMaker answers.  [4567]")
@click.option("--startup-seconds", type=float, help="How long a training job takes to get its instances.  [3]")
@click.option("--rate-factor", type=float, help="Multiplies the request rates that SageMaker allows.  [1]")
@click.option("--sweep-rate", help="How often the scheduler looks without being woken.  [rate(1 minute)]")
def up(*, fresh: bool, **options: Any) -> None:
    """Start what does not run, and deploy the code as it is now.

    Options that are not given keep the value of the last time.
    """
    with _readable_errors():
        if fresh:
            LocalAccount().forget()
        given = {name: value for name, value in options.items() if value is not None}
        account = LocalAccount(replace(LocalAccount().settings, **given))
        account.up(announce=click.echo)
    click.echo('Up. Next: eval "$(sagequeue local env)", then sagequeue ls')


@local.command()
def down() -> None:
    """Stop everything; what is queued stays queued."""
    with _readable_errors():
        click.echo("Stopped." if LocalAccount().down() else "Nothing runs.")


@local.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def status(*, as_json: bool) -> None:
    """Show what runs, and where."""
    with _readable_errors():
        components = account_status.look(LocalAccount())
    if as_json:
        click.echo(json.dumps([asdict(component) for component in components], indent=2))
        return
    table = Table("component", "state", "pid", "url")
    for component in components:
        table.add_row(component.name, component.state, str(component.pid or ""), component.url or "")
    Console().print(table)


@local.command()
def env() -> None:
    """Print what a shell needs: eval "$(sagequeue local env)"."""
    with _readable_errors():
        variables = LocalAccount().env()
    click.echo(f"unset {' '.join(IN_THE_WAY)}")
    for name, value in variables.items():
        click.echo(f"export {name}={shlex.quote(value)}")


@local.command()
@click.argument("name", default="")
@click.option("-f", "--follow", is_flag=True, help="Go on with what comes.")
@click.option("-n", "--lines", default=20, show_default=True, help="How many lines of each log.")
def logs(*, name: str, follow: bool, lines: int) -> None:
    """Show logs: of the servers, of sam, of each function and of the training jobs.

    NAME is a part of a log's name, such as ministack, sagemaker, schedule or TrainingJobs.
    """
    with _readable_errors():
        found = _find_logs(LocalAccount(), name)
        for log in found:
            _show(log, log.read_new()[-lines:])
        while follow:
            time.sleep(POLL_SECONDS)
            for log in found:
                _show(log, log.read_new())


def _find_logs(account: LocalAccount, name: str) -> list[Log]:
    is_up = "ministack" in account.running()
    client = account_session().client("logs", endpoint_url=account.settings.endpoint) if is_up else None
    found = find_logs(account.places.logs, client, name)
    if not found:
        raise AccountError(f"no log has {name!r} in its name" if name else "there are no logs yet")
    return found


def _show(log: Log, lines: list[str]) -> None:
    for line in lines:
        click.echo(f"{click.style(log.name, fg='cyan')} {line}")


@contextmanager
def _readable_errors() -> Iterator[None]:
    try:
        yield
    except AccountError as error:
        click.echo(f"sagequeue local: {error}", err=True)
        sys.exit(1)
