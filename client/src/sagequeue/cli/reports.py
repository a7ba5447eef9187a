"""`sagequeue history` and `report`: what was."""

from datetime import UTC, datetime

import click

from sagequeue.changes import Change
from sagequeue.cli.console import json_option, print_json, print_view
from sagequeue.cli.spans import since_option, until_option
from sagequeue.client import QueueClient
from sagequeue.report_tables import history_view, report_csv, report_json, report_view
from sagequeue.reporting import DIMENSIONS, RECORDED_WITHIN, hourly
from sagequeue.reporting import report as report_on

_BY = f"{', '.join(DIMENSIONS)}, tag:KEY."


def _dimension(_context: click.Context, _parameter: click.Parameter, text: str) -> str:
    if text in DIMENSIONS or text.removeprefix("tag:") not in ("", text):
        return text
    raise click.BadParameter(f"{text!r} is not one of {_BY}")


@click.command()
@click.argument("name", required=False)
@since_option("1d")
@until_option
@json_option
def history(name: str | None, since: datetime, until: datetime | None, *, as_json: bool) -> None:
    """List what became of all jobs, or of NAME: who asked for what, what was decided and why."""
    found = list(_read(since, until, name))
    print_json(found) if as_json else print_view(history_view(found))


@click.command()
@click.option("--by", callback=_dimension, default="team", show_default=True, help=_BY)
@since_option("30d")
@until_option
@click.option("--csv", "as_csv", is_flag=True, help="For spreadsheets; in seconds.")
@json_option
def report(by: str, since: datetime, until: datetime | None, *, as_csv: bool, as_json: bool) -> None:
    """Sum up the attempts that ended: waiting, instance-hours, cost, what was preempted, lost and failed."""
    end = until or datetime.now(UTC)
    prices = hourly(QueueClient().prices())
    found = report_on(_read(since, end + RECORDED_WITHIN), by, since, end, prices)
    if as_csv:
        click.echo(report_csv(found, by), nl=False)
    elif as_json:
        print_json(report_json(found, by))
    else:
        print_view(report_view(found, by))


def _read(since: datetime, until: datetime | None, name: str | None = None) -> list[Change]:
    return list(QueueClient().history(since.isoformat(), until.isoformat() if until else None, name))


COMMANDS = (history, report)
