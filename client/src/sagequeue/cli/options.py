"""The arguments that name jobs; a shell completes them with the names of those that the queue has."""

import click
from botocore.exceptions import BotoCoreError

from sagequeue.client import QueueClient
from sagequeue.errors import QueueError

_MOST = 50


def _names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    try:
        page = QueueClient().page(name=incomplete, limit=_MOST) if incomplete else QueueClient().page(limit=_MOST)
    except (QueueError, BotoCoreError):
        return []  # nobody wants to read of it in the middle of a command line; the command itself will tell
    return [job["name"] for job in page["jobs"]]


one_job = click.argument("name", shell_complete=_names)
some_jobs = click.argument("names", metavar="NAME...", nargs=-1, required=True, shell_complete=_names)
any_jobs = click.argument("names", metavar="[NAME...]", nargs=-1, shell_complete=_names)
