"""`sagequeue whoami`, `prices`, `spending`, `pools` and `findings`: show the current effects of the configuration."""

from datetime import UTC, datetime

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import json_option, print_answer, print_lines
from sagequeue.tables.config import permission_lines
from sagequeue.tables.costs import prices_view, spending_view
from sagequeue.tables.queue import findings_view, pools_view


@click.command()
@json_option
def whoami(*, as_json: bool) -> None:
    """Show your identity and your permissions in the queue."""
    print_lines(QueueClient().whoami(), permission_lines, as_json=as_json)


@click.command()
@json_option
def prices(*, as_json: bool) -> None:
    """List the known prices of instances."""
    print_answer(QueueClient().prices(), prices_view, as_json=as_json)


@click.command()
@json_option
def spending(*, as_json: bool) -> None:
    """Show how much of this month's GPU-hour and dollar limits has been used, with a forecast."""
    print_answer(QueueClient().spending(), spending_view, as_json=as_json)


@click.command()
@json_option
def pools(*, as_json: bool) -> None:
    """List warm pools: instances that SageMaker keeps, and bills for, after a job ends."""
    print_answer(QueueClient().pools(), lambda found: pools_view(found, datetime.now(UTC)), as_json=as_json)


@click.command()
@click.option(
    "--limit",
    type=click.IntRange(1, 200),
    default=50,
    show_default=True,
    help="Maximum number of jobs to list, newest first.",
)
@json_option
def findings(limit: int, *, as_json: bool) -> None:
    """List training jobs that were started outside the queue and break a rule."""
    print_answer(QueueClient().findings(limit), findings_view, as_json=as_json)


COMMANDS = (whoami, prices, spending, pools, findings)
