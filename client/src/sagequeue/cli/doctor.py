"""`sagequeue doctor`: what is missing, and how to mend it."""

import json
import sys
from dataclasses import asdict

import boto3
import click

from sagequeue.doctor import OK, PROBLEM, Check, checks

_MARKS = {OK: click.style("✓", fg="green"), PROBLEM: click.style("✗", fg="red")}
_WARNING = click.style("!", fg="yellow")
#: As for any command that finds itself not configured, not signed in or not allowed.
EXIT_CODE = 4


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def doctor(*, as_json: bool) -> None:
    """Check versions, credentials, address, clock and permissions, and say how to mend each."""
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
