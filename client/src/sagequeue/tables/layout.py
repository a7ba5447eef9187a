"""The form that all tables of the command line share."""

from collections.abc import Iterable

from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

_NUMBERS = frozenset({"#", "prio", "age", "ran", "cost", "held", "free", "limit", "queued", "weight"})

_WRAPPING = frozenset({"job", "why"})  # other columns are short and never wrap


def facts_of(facts: Iterable[tuple[str, Text]]) -> Table:
    """Returns a grid with a name and a value on each line."""
    grid = Table.grid(padding=(0, 2))
    for name, value in facts:
        grid.add_row(Text(name, style="dim"), value)
    return grid


def table_of(*columns: str) -> Table:
    """Returns a table without lines; numbers are right-aligned, and only names and reasons wrap."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        justify: JustifyMethod = "right" if column in _NUMBERS else "left"
        table.add_column(column, justify=justify, no_wrap=column not in _WRAPPING, overflow="fold")
    return table
