"""`sagequeue metrics`: for Prometheus."""

from datetime import UTC, datetime, timedelta

import click

from sagequeue.cli.spans import since_option
from sagequeue.client import QueueClient
from sagequeue.reporting import hourly, report

_HOW = "It takes one more package: pip install 'sagequeue[prometheus]'"


@click.command()
@since_option("1h")
def metrics(since: datetime) -> None:
    """Print the queue as it is, and what ended lately, in the text format of Prometheus."""
    try:
        from sagequeue.prometheus import exposition
    except ImportError as error:
        raise click.ClickException(_HOW) from error
    queue = QueueClient()
    now = datetime.now(UTC)
    changes = queue.history(since.isoformat(), (now + timedelta(minutes=1)).isoformat())
    recent = report(changes, "team", since, now, hourly(queue.prices()))
    click.echo(exposition(queue.queue(), recent, now), nl=False)


COMMANDS = (metrics,)
