"""Shows the trials of a tuning job: the best one, a chart of the objective, and a table."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.jobs.trials import Trial, Trials
from sagequeue.tables.formats import facts_of, local_time, table_of

#: Maximum number of rows, and of bars in the chart, for the latest trials.
ROWS, BARS = 20, 60
_HEIGHTS = "▁▂▃▄▅▆▇█"


def trials_view(found: Trials) -> RenderableType:
    """Returns the facts, then the latest trials."""
    trials = found["trials"]
    table = table_of("trial", "status", "objective", "ended", "values")
    for trial in trials[-ROWS:]:
        table.add_row(*_row(trial, found["best"]))
    parts: list[RenderableType] = [facts_of(_facts(found))]
    if trials:
        parts += [Text(), table]
    if len(trials) > ROWS:
        parts.append(Text(f"{len(trials) - ROWS} earlier trials are on the page: `sagequeue ui`.", style="dim"))
    return Group(*parts)


def _facts(found: Trials) -> Iterator[tuple[str, Text]]:
    values = [trial["objective"] for trial in found["trials"] if trial["objective"] is not None]
    best = next((trial for trial in found["trials"] if trial["name"] == found["best"]), None)
    if best:
        yield "best trial", Text(f"{best['name']}: {found['metric']} {best['objective']:g}, {_chosen(best)}")
    if values:
        yield "objective", Text(f"{_bars(values[-BARS:])} from {min(values):g} to {max(values):g}, oldest first")
    if found["remaining"] is not None:
        yield "remaining", Text(f"{found['remaining']} trials")


def _bars(values: Sequence[float]) -> str:
    """Returns a bar for each value. The lowest bar shows the least value, and the highest bar the greatest."""
    least, most = min(values), max(values)
    steps = (len(_HEIGHTS) - 1) / (most - least) if most > least else 0
    return "".join(_HEIGHTS[round((value - least) * steps)] for value in values)


def _row(trial: Trial, best: str | None) -> Iterator[str | Text]:
    yield Text(trial["name"], "bold" if trial["name"] == best else "")
    yield trial["status"]
    yield "" if trial["objective"] is None else f"{trial['objective']:g}"
    yield local_time(trial["ended_at"]) if trial["ended_at"] else ""
    yield Text(_chosen(trial))


def _chosen(trial: Trial) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(trial["chosen"].items()))
