"""Times on the command line: `30d`, `12h`, `90m` ago, a date, or ISO 8601."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import click

Command = Callable[..., None]

_AGO = re.compile(r"(\d{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


_HELP = "Such as 30d, 12h or 90m ago, a date or a time."


def since_option(usual: str) -> Callable[[Command], Command]:
    return click.option("--since", callback=_moment, default=usual, show_default=True, help=_HELP)


def until_option(command: Command) -> Command:
    return click.option("--until", callback=_moment, help="The same; without it, now.")(command)


def _moment(_context: click.Context, _parameter: click.Parameter, text: str | None) -> datetime | None:
    """A time without a zone is local."""
    if text is None:
        return None
    try:
        if ago := _AGO.fullmatch(text):
            return datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        message = f"{text!r} is not a time: use 30d, 12h, 90m, 2026-11-21 or 2026-11-21T12:00:00Z."
        raise click.BadParameter(message) from error
