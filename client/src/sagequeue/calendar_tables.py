"""The calendar's periods as people read them in a terminal."""

from collections.abc import Sequence
from datetime import datetime

from rich.table import Table
from rich.text import Text

from sagequeue.contract import Period
from sagequeue.tables import table_of


def periods_view(periods: Sequence[Period]) -> Table:
    """One line for each change of the budget, in this computer's local time."""
    table = table_of("from", "budget", "windows", "jobs that hold more")
    for number, period in enumerate(periods):
        since = f"{datetime.fromisoformat(period['begins']).astimezone():%a %Y-%m-%d %H:%M}" if number else "now"
        budget = ", ".join(f"{count} × {kind}" for kind, count in sorted(period["budget"].items()))
        table.add_row(
            since, budget, Text(", ".join(period["windows"])), ", ".join(sorted({*period["excess"].values()}))
        )
    return table
