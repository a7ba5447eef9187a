"""How many jobs waited and how many instances were held over time, as it was and as replayed."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.dates import date2num
from matplotlib.figure import Figure

from queue_replay.replay import Attempted

Steps = tuple[list[float], list[int]]


def draw(path: Path, before: Sequence[Attempted], after: Sequence[Attempted]) -> None:
    """An SVG, PNG or PDF, by the name of the file."""
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "sagequeue"  # the same figures make the same picture
    figure = Figure(figsize=(10, 6), layout="constrained")
    waiting, held = figure.subplots(2, 1, sharex=True)
    for attempts, label, style in ((before, "as it was", "-"), (after, "replayed", "--")):
        _draw(waiting, waiting_over_time(attempts), label, style)
        _draw(held, held_over_time(attempts), label, style)
    waiting.set(ylabel="jobs that wait", ylim=(0, None))
    held.set(ylabel="instances held", ylim=(0, None))
    waiting.legend()
    figure.autofmt_xdate()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def waiting_over_time(attempts: Iterable[Attempted]) -> Steps:
    return _steps(change for one in attempts for change in ((one.waited_since, 1), (one.reserved_at, -1)))


def held_over_time(attempts: Iterable[Attempted]) -> Steps:
    return _steps(change for one in attempts for change in ((one.reserved_at, one.size), (one.ended_at, -one.size)))


def _steps(changes: Iterable[tuple[float, int]]) -> Steps:
    """The times at which a count changes, and what it is from then on."""
    at: dict[float, int] = {}
    for time, change in changes:
        at[time] = at.get(time, 0) + change
    times = sorted(time for time, change in at.items() if change)
    return times, [*accumulate(at[time] for time in times)]


def _draw(axes: Axes, steps: Steps, label: str, style: str) -> None:
    times, counts = steps
    when = date2num([datetime.fromtimestamp(time, UTC) for time in times])  # type: ignore[no-untyped-call] # matplotlib types none of its dates
    axes.step(when, counts, style, where="post", label=label)
    axes.xaxis_date()
    axes.grid(visible=True, alpha=0.3)
