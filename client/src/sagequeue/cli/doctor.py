"""`sagequeue doctor`: checks the setup and shows how to fix problems."""

import json
import sys
from dataclasses import asdict

import boto3
import click

from sagequeue.doctor import OK, PROBLEM, Check, checks

_MARKS = {OK: click.style("✓", fg="green"), PROBLEM: click.style("✗", fg="red")}
_WARNING = click.style("!", fg="yellow")
#: The exit code of every command that is not configured, not signed in or not allowed.
EXIT_CODE = 4


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON, for programs.")
def doctor(*, as_json: bool) -> None:
    """Check versions, credentials, address, clock and permissions, and show how to fix problems."""
    found = []
    for check in checks(boto3.Session()):
        found.append(check)
        if not as_json:
            _print(check)
    if as_json:
        click.echo(json.dumps([asdict(check) for check in found], indent=2, ensure_ascii=False))
    sys.exit(EXIT_CODE if any(check.status == PROBLEM for check in found) else 0)


COMMANDS = (doctor,)


def _print(check: Check) -> None:
    click.echo(f"{_MARKS.get(check.status, _WARNING)} {check.name:<22} {check.message}")
    if check.remedy:
        click.echo(f"  {'':<22} {check.remedy}")
