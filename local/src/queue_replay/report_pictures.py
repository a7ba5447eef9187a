"""Draws the pictures of `--report`: the delays of each priority, who waits for whom, and maps of settings."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from queue_replay.delays import Grouping, delays_by_priority, waits_for
from queue_replay.replay import AttemptRecord
from scheduler.core.jobs.job import Job

_MINUTE, _HOUR = 60, 3600
#: A picture cannot show more points of a line, and nobody can tell more users apart.
_MOST_POINTS, _MOST_USERS = 500, 8
_OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Map:
    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float]]  # by row and column


def draw_delays(path: Path, attempts: Sequence[AttemptRecord]) -> None:
    """Draws, for each priority, the share of jobs with at most a given delay."""
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for priority, delays in delays_by_priority(attempts).items():
        step = max(1, len(delays) // _MOST_POINTS)
        positions = sorted({*range(0, len(delays), step), len(delays) - 1})
        shares = [100 * (position + 1) / len(delays) for position in positions]
        minutes = [delays[position] / _MINUTE for position in positions]
        axes.plot(minutes, shares, label=f"priority {priority} ({len(delays):,} jobs)")
    axes.set(xscale="symlog", xlabel="delay of at most … minutes", ylabel="share of the jobs, %", ylim=(0, 101))
    axes.set_xlim(left=0)
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    _save(figure, path)


def draw_waits_for(path: Path, attempts: Sequence[AttemptRecord]) -> None:
    """Draws two maps, by priority and by user, of the jobs that held the instances while other jobs waited."""
    figure = Figure(figsize=(12, 5), layout="constrained")
    of_priority, of_user = figure.subplots(1, 2)
    _draw_map(of_priority, _waits_map("hours of waiting, by priority", attempts, _priority_of))
    _draw_map(of_user, _waits_map("hours of waiting, by user", attempts, _named_users(attempts)))
    for axes in (of_priority, of_user):
        axes.set(xlabel="held the instances", ylabel="waited")
    _save(figure, path)


def draw_maps(path: Path, maps: Sequence[Map]) -> None:
    rows = len(maps[0].rows)
    figure = Figure(figsize=(5 * len(maps), 2 + 0.6 * rows), layout="constrained")
    for axes, one in zip(figure.subplots(1, len(maps), squeeze=False)[0], maps, strict=True):
        _draw_map(axes, one)
    _save(figure, path)


def _waits_map(title: str, attempts: Sequence[AttemptRecord], group_of: Grouping) -> Map:
    seconds = waits_for(attempts, group_of)
    names = sorted({name for pair in seconds for name in pair}, key=lambda name: (name == _OTHERS, name))
    return Map(
        title, names, names, [[seconds.get((waiter, holder), 0.0) / _HOUR for holder in names] for waiter in names]
    )


def _priority_of(job: Job) -> str:
    return f"priority {job.options.priority}"


def _named_users(attempts: Sequence[AttemptRecord]) -> Grouping:
    held: defaultdict[str, float] = defaultdict(float)
    for attempt in attempts:
        held[attempt.job.owner] += attempt.size * (attempt.ended_at - attempt.reserved_at)
    named = set(sorted(held, key=lambda owner: (-held[owner], owner))[:_MOST_USERS])
    return lambda job: job.owner if job.owner in named else _OTHERS


def _draw_map(axes: Axes, found: Map) -> None:
    axes.set_title(found.title, fontsize=10)
    if not found.rows:
        axes.text(0.5, 0.5, "no job waited", ha="center")
        axes.set_axis_off()
        return
    largest = max(max(row) for row in found.values)
    axes.imshow(found.values, cmap="YlOrRd", aspect="auto", vmin=0, vmax=largest or 1)
    axes.set_xticks(range(len(found.columns)), found.columns, rotation=30, ha="right", fontsize=8)
    axes.set_yticks(range(len(found.rows)), found.rows, fontsize=8)
    for row, values in enumerate(found.values):
        for column, value in enumerate(values):
            colour = "white" if value > 0.7 * largest else "black"
            axes.text(column, row, _short(value), ha="center", va="center", fontsize=8, color=colour)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _save(figure: Figure, path: Path) -> None:
    mpl.use("Agg")
    with mpl.rc_context({"svg.hashsalt": "sagequeue"}):  # the same figures produce the same file
        figure.savefig(path, metadata={"Date": None})
