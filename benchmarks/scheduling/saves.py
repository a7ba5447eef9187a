"""Replays the six cases with jobs that save nothing, every 30 minutes, and also at the notice before a stop.

python -m benchmarks.scheduling.saves   writes the effect of saves to docs/explain/benchmarks.md
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.scheduling.cases import CASES
from benchmarks.scheduling.engine import AttemptRow
from benchmarks.scheduling.replay import SAGEQUEUE, Replay, Setup, replay_all
from benchmarks.scheduling.report import PAGE, SIZES, write
from scheduler.core.jobs.team import Ordering

_HOUR = 3600
_HEADS = (
    "case",
    "jobs save",
    "preemptions",
    "lost, instance-hours",
    "of that, repeated work",
    "lost, %",
    "mean delay, h",
)


@dataclass(frozen=True, slots=True)
class Saves:
    checkpoint: int | None = 1800  # seconds of work between two saves
    at_notice: bool = False


SAVES: Mapping[str, Saves] = {
    "never": Saves(checkpoint=None),
    "every 30 minutes": Saves(),
    "every 30 minutes and at the notice": Saves(at_notice=True),
}


@dataclass(frozen=True, slots=True)
class Losses:
    preemptions: int
    repeated: float  # instance-hours of work that was in no checkpoint
    restarts: float  # instance-hours


def losses_of(rows: Sequence[AttemptRow], restart: int) -> Losses:
    restarts = sum(min(restart, row.end - row.start) * row.instances for row in rows if row.attempt > 1)
    lost = sum(row.lost * row.instances for row in rows)
    preemptions = sum(row.end_reason == "preempted" for row in rows)
    return Losses(preemptions, (lost - restarts) / _HOUR, restarts / _HOUR)


def table(setups: Mapping[str, Setup]) -> str:
    """Returns a table with a row for each setup's name and each kind of saves."""
    runs = [(name, kind, _saving(setup, SAVES[kind])) for name, setup in setups.items() for kind in SAVES]
    replays = replay_all([(setup, SAGEQUEUE) for _, _, setup in runs])
    rows = [_row(name, kind, setup, replay) for (name, kind, setup), replay in zip(runs, replays, strict=True)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (_HEADS, ("---",) * len(_HEADS), *rows))


def _saving(setup: Setup, saves: Saves) -> Setup:
    return replace(setup, checkpoint=saves.checkpoint, saves_at_notice=saves.at_notice)


def _row(name: str, kind: str, setup: Setup, replay: Replay) -> tuple[str, ...]:
    losses, figures = losses_of(replay.rows, setup.restart), replay.figures
    return (
        name,
        kind,
        f"{losses.preemptions:,}",
        f"{losses.repeated + losses.restarts:,.0f}",
        f"{losses.repeated:,.0f}",
        f"{figures.lost_percent:.2f}",
        f"{figures.mean_delay_h:.3g}",
    )


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.saves", description=__doc__)
    parser.add_argument("--trace", type=Path, metavar="F", help="Print the figures of another trace only.")
    parser.add_argument(
        "--instances", type=int, nargs="+", default=SIZES, metavar="N", help="The budgets of that trace."
    )
    options = parser.parse_args(arguments)
    if options.trace:
        setups = {f"{options.trace.name} {size}": Setup(options.trace, size) for size in options.instances}
    else:
        setups = {case.name: case.setup(Ordering.FIFO) for case in CASES}
    figures = table(setups)
    sys.stdout.write(f"{figures}\n")
    if options.trace is None:
        write(PAGE, figures, section="saves")


if __name__ == "__main__":
    _main(sys.argv[1:])
