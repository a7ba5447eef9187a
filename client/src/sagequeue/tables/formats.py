"""Lays out tables for terminals of any width, and formats times, durations and costs.

On a narrow terminal, a table leaves out columns or prints each row as a block, but never cuts off a number.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from textwrap import shorten

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from sagequeue.contract.costs import AttemptCost, CostRange, JobCost
from sagequeue.visible_text import visible

_NUMBERS = frozenset({"#", "objective", "prio", "age", "ran", "cost", "held", "free", "limit", "queued", "weight"})
#: Columns that wrap, with their minimum widths. A column of shorter texts may be narrower; other columns never wrap.
_WRAPPING = {
    "job": 12,
    "why": 24,
    "owner": 8,
    "by": 12,
    "instances": 18,
    "actions": 12,
    "comment": 16,
    "budget": 18,
    "windows": 12,
    "jobs over budget": 12,
    "jobs that fit": 24,
    "running": 18,
    "quota": 18,
    "borrowed": 18,
    "limits": 18,
    "values": 18,
}
#: The columns that a narrow terminal leaves out, in this order. The first column of a table always stays.
_LEFT_OUT = (
    *("source", "as of", "spot billed", "by", "actions", "comment"),
    *("failed h", "lost ≤ h", "preempted h", "longest", "saved $", "waste ≤ $", "billed h"),
    *("weight", "recent use", "quota", "borrowed", "limits", "subnet", "applies to", "forecast"),
    *("attempt", "owner", "started", "instances", "age"),
)
_GAP = 2
#: Maximum characters of a reason in a list; `why` and `show` print the whole reason.
_LONGEST_REASON = 120


class FittedTable:
    """A table of texts. Its layout depends on the terminal's width when it is printed."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self.rows: list[tuple[Text, ...]] = []

    def add_row(self, *cells: str | Text) -> None:
        self.rows.append(tuple(map(_shown, cells)))

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        widths = [self._width(index) for index in range(len(self._columns))]
        kept, left_out = list(range(len(self._columns))), []
        for name in _LEFT_OUT:
            if self._least(kept, widths) <= options.max_width:
                break
            if name in self._columns[1:]:
                left_out.append(name)
                kept.remove(self._columns.index(name))
        if self._least(kept, widths) > options.max_width:
            yield from self._blocks()
            return
        yield self._table(kept, widths)
        if left_out:
            yield Text(f"Columns left out: {', '.join(left_out)}. Use a wider terminal or --json.", style="dim")

    def _width(self, index: int) -> int:
        """Returns the width that the column needs: that of its widest cell if the column does not wrap."""
        cells = (line for row in self.rows for line in row[index].plain.splitlines())
        widest = max(map(cell_len, cells), default=0)
        column = self._columns[index]
        return max(cell_len(column), min(widest, _WRAPPING.get(column, widest)))

    def _least(self, kept: Sequence[int], widths: Sequence[int]) -> int:
        return sum(widths[index] + _GAP for index in kept) - _GAP

    def _table(self, kept: Sequence[int], widths: Sequence[int]) -> Table:
        """Returns a table without lines; numbers are right-aligned."""
        table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, _GAP, 0, 0))
        for index in kept:
            column = self._columns[index]
            justify: JustifyMethod = "right" if column in _NUMBERS else "left"
            is_fixed = column not in _WRAPPING
            table.add_column(column, justify=justify, no_wrap=is_fixed, overflow="fold", min_width=widths[index])
        for row in self.rows:
            table.add_row(*(row[index] for index in kept))
        return table

    def _blocks(self) -> Iterator[RenderableType]:
        """Yields each row as a block, with a line for each cell that is not empty."""
        for number, row in enumerate(self.rows):
            if number:
                yield Text()
            yield facts_of((name, cell) for name, cell in zip(self._columns, row, strict=True) if cell.plain)


def table_of(*columns: str) -> FittedTable:
    return FittedTable(columns)


def facts_of(facts: Iterable[tuple[str, Text]]) -> Table:
    """Returns a grid with a name and a value on each line."""
    grid = Table.grid(padding=(0, _GAP))
    for name, value in facts:
        grid.add_row(Text(name, style="dim"), value)
    return grid


def _shown(cell: str | Text) -> Text:
    """Returns the text as it will be printed. Its width is then known: escapes widen the text."""
    text = Text(cell) if isinstance(cell, str) else cell.copy()
    text.plain = visible(text.plain)
    return text


def brief(reason: str) -> str:
    """Returns the beginning of a reason, on one line, for lists."""
    return shorten(reason, _LONGEST_REASON, placeholder=" …")


def local_time(time: str) -> str:
    return datetime.fromisoformat(time).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def since(time: str, now: datetime) -> str:
    return short(now - datetime.fromisoformat(time))


def short(span: timedelta) -> str:
    """Returns the two largest units: "3d 4h", "12m 5s"."""
    span = max(timedelta(), span)
    counts = {"d": span.days, "h": span.seconds // 3600, "m": span.seconds // 60 % 60, "s": span.seconds % 60}
    return " ".join([f"{count}{unit}" for unit, count in counts.items() if count][:2]) or "0s"


def rough(span: timedelta) -> str:
    """Returns one unit, for estimates: "3 d", "2 h", "40 min", "1 min"."""
    minutes = max(1, round(span.total_seconds() / 60))
    if minutes < 90:
        return f"{minutes} min"
    hours = round(minutes / 60)
    return f"{hours} h" if hours < 48 else f"{round(hours / 24)} d"


def in_dollars(amount: float) -> str:
    """Formats an amount as `$12.30`, or with one significant digit if it is below half a cent."""
    return f"${amount:.2f}" if amount >= 0.005 or not amount else f"${Decimal(f'{amount:.1g}'):f}"


def cost_text(cost: JobCost) -> str:
    """Returns for example `$12.30, at prices of 2026-09-25; up to $1.20 of it wasted`."""
    parts = [_amount(cost)] if cost["prices_as_of"] else []
    return "; ".join([*parts, *_unknown(cost["unknown_types"])])


def attempt_cost_text(cost: AttemptCost | None) -> str:
    if cost is None:
        return "not known"
    return ("" if cost["final"] else "≤ ") + in_dollars(cost["dollars"] + cost["retained_dollars"])


def range_text(cost: CostRange) -> str:
    """Returns for example `$0.50 to $2.00 per attempt, at prices of 2026-09-25: …`."""
    least, most = cost["least_dollars"], cost["most_dollars"]
    if least is None or most is None:
        return "; ".join(_unknown(cost["unknown_types"]))
    amount = in_dollars(most) if least == most else f"{in_dollars(least)} to {in_dollars(most)}"
    return f"{amount} per attempt, at prices of {cost['prices_as_of']}: {_basis(cost)}"


def _basis(cost: CostRange) -> str:
    limit = rough(timedelta(seconds=cost["max_runtime"]))
    is_learned = cost["expected_run_time"] < cost["max_runtime"]
    expected = f"like similar jobs, about {rough(timedelta(seconds=cost['expected_run_time']))}; " if is_learned else ""
    return f"{expected}its time limit, {limit}" + (", less with spot savings" if cost["spot"] else "")


def _amount(cost: JobCost) -> str:
    known = [f"{attempt_cost_text(cost)}, at prices of {cost['prices_as_of']}"]
    if cost["retained_dollars"]:
        known.append(f"{in_dollars(cost['retained_dollars'])} of it for warm pools")
    if cost["saved_dollars"]:
        known.append(f"spot saved {in_dollars(cost['saved_dollars'])}")
    if cost["wasted_dollars_at_most"]:
        known.append(f"up to {in_dollars(cost['wasted_dollars_at_most'])} of it wasted")
    return "; ".join(known)


def _unknown(types: list[str]) -> Iterator[str]:
    if types:
        yield f"no known price for {', '.join(types)}"
