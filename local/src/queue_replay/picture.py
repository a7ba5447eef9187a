"""Draws the waiting jobs and the held instances over time, in the history and in the replay."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.dates import date2num
from matplotlib.figure import Figure

from queue_replay.replay import AttemptRecord

Steps = tuple[list[float], list[int]]


def draw(path: Path, before: Sequence[AttemptRecord], after: Sequence[AttemptRecord]) -> None:
    """Writes an SVG, PNG or PDF, depending on the file's extension."""
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "sagequeue"  # the same figures produce the same file
    figure = Figure(figsize=(10, 6), layout="constrained")
    waiting, held = figure.subplots(2, 1, sharex=True)
    for attempts, label, style in ((before, "recorded", "-"), (after, "replayed", "--")):
        _draw(waiting, waiting_over_time(attempts), label, style)
        _draw(held, held_over_time(attempts), label, style)
    waiting.set(ylabel="waiting jobs", ylim=(0, None))
    held.set(ylabel="instances held", ylim=(0, None))
    waiting.legend()
    figure.autofmt_xdate()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def waiting_over_time(attempts: Iterable[AttemptRecord]) -> Steps:
    return _steps(change for attempt in attempts for change in ((attempt.waited_since, 1), (attempt.reserved_at, -1)))


def held_over_time(attempts: Iterable[AttemptRecord]) -> Steps:
    return _steps(
        change
        for attempt in attempts
        for change in ((attempt.reserved_at, attempt.size), (attempt.ended_at, -attempt.size))
    )


def _steps(changes: Iterable[tuple[float, int]]) -> Steps:
    """Returns the times at which a count changes, and the count from then on."""
    at: dict[float, int] = {}
    for time, change in changes:
        at[time] = at.get(time, 0) + change
    times = sorted(time for time, change in at.items() if change)
    return times, [*accumulate(at[time] for time in times)]


def _draw(axes: Axes, steps: Steps, label: str, style: str) -> None:
    times, counts = steps
    when = date2num([datetime.fromtimestamp(time, UTC) for time in times])  # type: ignore[no-untyped-call] # matplotlib has no types for its dates
    axes.step(when, counts, style, where="post", label=label)
    axes.xaxis_date()
    axes.grid(visible=True, alpha=0.3)
