"""Defines arguments and options that several commands share: job names and times."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import click
from botocore.exceptions import BotoCoreError

from sagequeue.api.client import QueueClient
from sagequeue.errors import QueueError

Command = Callable[..., None]

_MOST = 50
_AGO = re.compile(r"(\d{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_TIME_HELP = "Start of the period: an age such as 30d, 12h or 90m, a date, or a time."


def _names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    try:
        page = QueueClient().page(name=incomplete, limit=_MOST) if incomplete else QueueClient().page(limit=_MOST)
    except (QueueError, BotoCoreError):
        return []  # an error would garble the command line that the shell completes; the command itself will report it
    return [job["name"] for job in page["jobs"]]


one_job = click.argument("name", shell_complete=_names)
some_jobs = click.argument("names", metavar="NAME...", nargs=-1, required=True, shell_complete=_names)
any_jobs = click.argument("names", metavar="[NAME...]", nargs=-1, shell_complete=_names)
longest_runtime = click.option(
    "--max-runtime", type=click.IntRange(min=1), metavar="SECONDS", help="Longest time limit to approve."
)


def since_option(usual: str) -> Callable[[Command], Command]:
    return click.option("--since", callback=_moment, default=usual, show_default=True, help=_TIME_HELP)


def until_option(command: Command) -> Command:
    return click.option("--until", callback=_moment, help="End of the period, in the same formats as --since.  [now]")(
        command
    )


def _moment(_context: click.Context, _parameter: click.Parameter, text: str | None) -> datetime | None:
    """Parses a time. Without a time zone, it is local time."""
    if text is None:
        return None
    try:
        if ago := _AGO.fullmatch(text):
            return datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        message = f"{text!r} is not a time: use 30d, 12h, 90m, 2026-11-21 or 2026-11-21T12:00:00Z."
        raise click.BadParameter(message) from error
