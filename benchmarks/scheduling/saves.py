"""Replays a trace with jobs that save nothing, that save every half hour, and that save at the notice before a stop.

python -m benchmarks.scheduling.saves   writes the figures of docs/explain/scheduling.md
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.scheduling.engine import AttemptRow
from benchmarks.scheduling.replay import SAGEQUEUE, Replay, Setup, replay_all
from benchmarks.scheduling.report import SIZES, TRACE, write

PAGE = Path(__file__).parents[2] / "docs" / "explain" / "scheduling.md"
_HOUR = 3600


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


def table(trace: Path, sizes: Sequence[int]) -> str:
    runs = [(size, name) for size in sizes for name in SAVES]
    setups = [_setup(trace, size, SAVES[name]) for size, name in runs]
    replays = replay_all([(setup, SAGEQUEUE) for setup in setups])
    lines = [
        "| instances | jobs save | preemptions | repeated work, instance-hours | restarts, instance-hours | lost, % | mean delay, hours |",  # noqa: E501
        "|---|---|---|---|---|---|---|",
    ]
    lines += [_line(name, setup, replay) for (_, name), setup, replay in zip(runs, setups, replays, strict=True)]
    return f"`{trace.name}`, with the default policy:\n\n" + "\n".join(lines)


def _setup(trace: Path, instances: int, saves: Saves) -> Setup:
    return Setup(trace, instances, checkpoint=saves.checkpoint, saves_at_notice=saves.at_notice)


def _line(name: str, setup: Setup, replay: Replay) -> str:
    losses, figures = losses_of(replay.rows, setup.restart), replay.figures
    return (
        f"| {setup.instances} | {name} | {losses.preemptions:,} | {losses.repeated:,.0f} | {losses.restarts:,.0f} "
        f"| {figures.lost_percent:.2f} | {figures.mean_delay_h:.2f} |"
    )


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.saves", description=__doc__)
    parser.add_argument("--trace", type=Path, metavar="F", help="Print the figures of another trace only.")
    parser.add_argument("--instances", type=int, nargs="+", default=SIZES, metavar="N")
    options = parser.parse_args(arguments)
    figures = table(options.trace or TRACE, options.instances)
    sys.stdout.write(f"{figures}\n")
    if options.trace is None:
        write(PAGE, figures)


if __name__ == "__main__":
    _main(sys.argv[1:])
