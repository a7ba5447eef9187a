"""Draws the pictures in docs/explain/benchmarks.md: waiting times under each scheduler, and instances in use."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.scheduling.engine import AttemptRow
from benchmarks.scheduling.figures import delays
from benchmarks.scheduling.replay import Replay
from benchmarks.scheduling.trace import Submission

_MINUTE, _DAY = 60, 86_400
_STYLES = ("-", "--", ":", "-.")
#: The file has neither date nor version, so the same figures produce the same file.
_METADATA = {"Software": None}


def draw(path: Path, submissions: Sequence[Submission], replays: Sequence[Replay], instances: int) -> None:
    """Draws one line style for each replay, and one colour for each class."""
    mpl.use("Agg")
    figure = Figure(figsize=(10, 7), layout="constrained")
    waiting, in_use = figure.subplots(2, 1)
    for replay, style in zip(replays, _STYLES, strict=False):
        _draw_waiting(waiting, submissions, replay, style)
        _draw_in_use(in_use, replay, style, instances)
    waiting.set(xscale="symlog", xlabel="waiting time in minutes", ylabel="share of the class, %", ylim=(0, 101))
    waiting.grid(alpha=0.3)
    waiting.legend(fontsize=8)
    in_use.set(xlabel="days", ylabel=f"instances in use of {instances}, mean of a day", ylim=(0, instances * 1.05))
    in_use.grid(alpha=0.3)
    in_use.legend(fontsize=8, loc="lower right")
    figure.savefig(path, dpi=90, metadata=_METADATA)


def _draw_waiting(axes: Axes, submissions: Sequence[Submission], replay: Replay, style: str) -> None:
    delay = delays(submissions, replay.rows)
    for priority in sorted({job.priority for job in submissions}, reverse=True):
        waited = sorted(delay[job.index] / _MINUTE for job in submissions if job.priority == priority)
        steps = waited[:: max(1, len(waited) // 500)]  # the picture cannot show more points
        shares = [100 * (number + 1) / len(steps) for number in range(len(steps))]
        axes.plot(steps, shares, style, color=f"C{priority}", label=f"{replay.scheduler}, priority {priority}")


def _draw_in_use(axes: Axes, replay: Replay, style: str, instances: int) -> None:
    seconds = held_by_day(replay.rows)
    axes.plot([held / _DAY for held in seconds], style, label=replay.scheduler)
    axes.axhline(instances, color="grey", linewidth=0.5)


def held_by_day(rows: Sequence[AttemptRow]) -> list[float]:
    """Returns the instance-seconds of each day."""
    held = [0.0] * (1 + max(row.end for row in rows) // _DAY)
    for row in rows:
        for day in range(row.start // _DAY, row.end // _DAY + 1):
            held[day] += row.instances * (min(row.end, (day + 1) * _DAY) - max(row.start, day * _DAY))
    return held
