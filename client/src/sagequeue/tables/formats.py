"""The form that all tables share, and times, durations and costs as people read them."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from sagequeue.contract.costs import AttemptCost, CostRange, JobCost

_NUMBERS = frozenset({"#", "prio", "age", "ran", "cost", "held", "free", "limit", "queued", "weight"})
_WRAPPING = frozenset({"job", "why"})  # other columns are short and never wrap


def table_of(*columns: str) -> Table:
    """Returns a table without lines; numbers are right-aligned, and only names and reasons wrap."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        justify: JustifyMethod = "right" if column in _NUMBERS else "left"
        table.add_column(column, justify=justify, no_wrap=column not in _WRAPPING, overflow="fold")
    return table


def facts_of(facts: Iterable[tuple[str, Text]]) -> Table:
    """Returns a grid with a name and a value on each line."""
    grid = Table.grid(padding=(0, 2))
    for name, value in facts:
        grid.add_row(Text(name, style="dim"), value)
    return grid


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
    """Returns `$12.30`; an amount below half a cent with its first significant digit."""
    return f"${amount:.2f}" if amount >= 0.005 or not amount else f"${amount:.1g}"


def cost_text(cost: JobCost) -> str:
    """Returns for example `$12.30, at prices of 2026-09-25; up to $1.20 of it wasted`."""
    parts = [_amount(cost)] if cost["prices_as_of"] else []
    return "; ".join([*parts, *_unknown(cost["unknown_types"])])


def attempt_cost_text(cost: AttemptCost | None) -> str:
    if cost is None:
        return "not known"
    return ("" if cost["final"] else "≤ ") + in_dollars(cost["dollars"] + cost["retained_dollars"])


def range_text(cost: CostRange) -> str:
    """Returns for example `$0.50 to $2.00 an attempt, at prices of 2026-09-25: …`."""
    least, most = cost["least_dollars"], cost["most_dollars"]
    if least is None or most is None:
        return "; ".join(_unknown(cost["unknown_types"]))
    amount = in_dollars(most) if least == most else f"{in_dollars(least)} to {in_dollars(most)}"
    return f"{amount} an attempt, at prices of {cost['prices_as_of']}: {_basis(cost)}"


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
