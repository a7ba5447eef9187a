"""`sagequeue export`: the history in columns, for Athena and notebooks."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from sagequeue.cli.spans import since_option, until_option
from sagequeue.client import QueueClient
from sagequeue.reporting import gaps

_HOW = "It takes one more package: pip install 'sagequeue[export]'"
_DAY = timedelta(days=1)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@since_option("30d")
@until_option
def export(folder: Path, since: datetime, until: datetime | None) -> None:
    """Write the history as Parquet files into FOLDER, one for each day in UTC.

    Days are written whole, whatever times you give, so that to export a day again replaces it.
    """
    try:
        from sagequeue.parquet import write_days
    except ImportError as error:
        raise click.ClickException(_HOW) from error
    begin = _midnight(since)
    end = min(datetime.now(UTC), _midnight(until - timedelta(microseconds=1)) + _DAY) if until else datetime.now(UTC)
    changes = list(QueueClient().history(begin.isoformat(), end.isoformat()))
    written = write_days(changes, folder)
    click.echo(f"{len(changes)} changes in {len(written)} files below {folder}")
    if missing := gaps(changes, begin):
        names = ", ".join(sorted(missing)[:5])
        click.echo(f"The history lacks {sum(missing.values())} changes, of {len(missing)} jobs: {names}", err=True)


def _midnight(time: datetime) -> datetime:
    return time.replace(hour=0, minute=0, second=0, microsecond=0)


COMMANDS = (export,)
