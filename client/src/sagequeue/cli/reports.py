"""`sagequeue history`, `report`, `usage`, `export` and `metrics`: show and export the history and its figures."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import console, echo, json_option, print_answer, print_json
from sagequeue.cli.options import since_option, until_option
from sagequeue.contract.history import Change
from sagequeue.errors import QueueError
from sagequeue.reports.figures import hourly
from sagequeue.reports.report import ANY_DIMENSION, RECORDED_WITHIN, check_dimension, gaps
from sagequeue.reports.report import report as report_on
from sagequeue.reports.usage import Steps
from sagequeue.reports.usage_reading import BY, usage_of
from sagequeue.tables.reports import history_view, report_csv, report_json, report_view, usage_view

_NEEDS_EXPORT = "`sagequeue export` needs the package pyarrow. Install it: pip install 'sagequeue[export]'"
_NEEDS_PROMETHEUS = (
    "`sagequeue metrics` needs the package prometheus_client. Install it: pip install 'sagequeue[prometheus]'"
)
_DAY = timedelta(days=1)
#: The time that one line of `usage` covers, by the number of days.
_STEPS = {"1": timedelta(hours=2), "7": timedelta(days=1)}


def _dimension(_context: click.Context, _parameter: click.Parameter, text: str) -> str:
    try:
        check_dimension(text)
    except QueueError as error:
        raise click.BadParameter(str(error)) from error
    return text


@click.command()
@click.argument("name", required=False)
@since_option("1d")
@until_option
@json_option
def history(name: str | None, since: datetime, until: datetime | None, *, as_json: bool) -> None:
    """List the recorded changes to all jobs, or to the job NAME: user requests, and decisions with their reasons."""
    print_answer(_read(since, until, name), history_view, as_json=as_json)


@click.command()
@click.option("--by", callback=_dimension, default="team", show_default=True, help=f"Group by {ANY_DIMENSION}.")
@since_option("30d")
@until_option
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets, with durations in seconds.")
@json_option
def report(by: str, since: datetime, until: datetime | None, *, as_csv: bool, as_json: bool) -> None:
    """Report on finished attempts: waiting time, instance-hours, cost, preemptions, lost work and failures."""
    end = until or datetime.now(UTC)
    prices = hourly(QueueClient().prices())
    found = report_on(_read(since, end + RECORDED_WITHIN), by, since, end, prices)
    if as_csv:
        echo(report_csv(found, by), nl=False)
    elif as_json:
        print_json(report_json(found, by))
    else:
        console().print(report_view(found, by))


@click.command("usage")
@click.option("--by", type=click.Choice(BY), default="type", show_default=True, help="Group by type or team.")
@click.option(
    "--days", type=click.Choice([*_STEPS]), default="1", show_default=True, help="Number of past days to show."
)
@json_option
def usage_over_time(by: str, days: str, *, as_json: bool) -> None:
    """Show how many instances were held and waited for over time, with preemptions and budget changes."""
    steps = Steps.until(datetime.now(UTC), _STEPS[days], int(days))
    print_answer(usage_of(QueueClient(), by, steps), usage_view, as_json=as_json)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@since_option("30d")
@until_option
def export(folder: Path, since: datetime, until: datetime | None) -> None:
    """Write the history to FOLDER as Parquet files, one per day (UTC).

    Each file covers a whole day; only the current day's file ends now. Exporting a day again replaces its file,
    unless the history has expired in part since then.
    """
    try:
        from sagequeue.reports.parquet import write_days  # pyarrow is optional, and slow to import
    except ImportError as error:
        raise click.ClickException(_NEEDS_EXPORT) from error
    begin = _midnight(since)
    end = min(datetime.now(UTC), _midnight(until - timedelta(microseconds=1)) + _DAY) if until else datetime.now(UTC)
    changes = list(QueueClient().history(begin.isoformat(), end.isoformat()))
    written = write_days(changes, folder)
    kept = [day for day, count in written.items() if not count]
    files = len(written) - len(kept)
    echo(f"Wrote {sum(written.values())} changes to {files} {'file' if files == 1 else 'files'} in {folder}.")
    if kept:
        days = ", ".join(kept)
        echo(f"Kept the existing files of these days, because the history now has fewer changes: {days}.", err=True)
    if missing := gaps(changes, begin):
        names = ", ".join(sorted(missing)[:5])
        echo(
            f"Changes missing from the history: {sum(missing.values())}. Affected jobs: {len(missing)} ({names}).",
            err=True,
        )


@click.command()
@since_option("1h")
def metrics(since: datetime) -> None:
    """Print the state of the queue and recently finished attempts in Prometheus's text format."""
    try:
        from sagequeue.reports.prometheus import exposition  # prometheus_client is optional
    except ImportError as error:
        raise click.ClickException(_NEEDS_PROMETHEUS) from error
    queue = QueueClient()
    now = datetime.now(UTC)
    changes = queue.history(since.isoformat(), (now + timedelta(minutes=1)).isoformat())
    recent = report_on(changes, "team", since, now, hourly(queue.prices()))
    echo(exposition(queue.queue(), recent, now), nl=False)


COMMANDS = (history, report, usage_over_time, export, metrics)


def _read(since: datetime, until: datetime | None, name: str | None = None) -> list[Change]:
    return list(QueueClient().history(since.isoformat(), until.isoformat() if until else None, name))


def _midnight(time: datetime) -> datetime:
    return time.replace(hour=0, minute=0, second=0, microsecond=0)
