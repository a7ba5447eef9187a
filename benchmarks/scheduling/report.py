"""Compares schedulers on the Venus trace, and measures plans. Writes docs/explain/benchmarks.md and its pictures.

python -m benchmarks.scheduling.report
"""

import argparse
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.scheduling.planning_speed import PENDING, p99_milliseconds, peak_megabytes
from benchmarks.scheduling.plot import draw
from benchmarks.scheduling.replay import SAGEQUEUE, SCHEDULERS, Replay, Setup, replay_all, table
from benchmarks.scheduling.trace import read
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.policy import Policy

PAGE = Path(__file__).parents[2] / "docs" / "explain" / "benchmarks.md"
TRACE = Path(__file__).parents[1] / "data" / "helios_venus_a.sched.csv.gz"
#: Numbers of instances.
SIZES = (100, 128)

#: Replays by scheduler. SageQueue's replays have the names of orderings.
Replays = Mapping[str, Replay]


def report(trace: Path, pictures: Path) -> str:
    measured = [_replayed(trace, instances) for instances in SIZES]
    for instances, replays in zip(SIZES, measured, strict=True):
        shown = [_named(replays[Ordering.FIFO], "SageQueue, fifo"), replays["naive"]]
        draw(pictures / f"scheduling-{instances}.png", read(trace), shown, instances)
    chapters = [_chapter(trace, instances, replays) for instances, replays in zip(SIZES, measured, strict=True)]
    return "\n\n".join([*chapters, _costs_of_plans()])


def write(page: Path, figures: str, section: str = "figures") -> None:
    markers = re.compile(rf"(<!-- {section}: begin[^\n]*-->\n).*(<!-- {section}: end -->)", re.DOTALL)
    text, count = markers.subn(lambda found: f"{found[1]}\n{figures}\n\n{found[2]}", page.read_text())
    if count != 1:
        raise ValueError(f"{page} lacks the lines <!-- {section}: begin --> and <!-- {section}: end -->; add them")
    page.write_text(text)


def printed(lines: Iterable[str]) -> str:
    """Prints each line of a table as soon as it is known. Returns the table."""
    known = []
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        known.append(line)
    return "\n".join(known)


def _replayed(trace: Path, instances: int) -> Replays:
    runs = [(Setup(trace, instances), scheduler) for scheduler in SCHEDULERS]
    runs.append((Setup(trace, instances, Policy(ordering=Ordering.SHORTEST)), SAGEQUEUE))
    *simpler, fifo, shortest = replay_all(runs)
    return {replay.scheduler: replay for replay in simpler} | {Ordering.FIFO: fifo, Ordering.SHORTEST: shortest}


def _chapter(trace: Path, instances: int, replays: Replays) -> str:
    columns = [
        _named(replay, f"SageQueue, {name}" if name in list(Ordering) else name) for name, replay in replays.items()
    ]
    return (
        f"### {instances} instances\n\n`{trace.name}`:\n\n{table(columns)}\n\n"
        "![Waiting time by class, and instances in use by day: SageQueue with fifo compared with the naive policy]"
        f"(scheduling-{instances}.png)"
    )


def _costs_of_plans() -> str:
    lines = ["| pending jobs | `shortest`, p99, ms | `fifo`, p99, ms | peak memory, MB |", "|---|---|---|---|"]
    times = [p99_milliseconds(ordering) for ordering in (Ordering.SHORTEST, Ordering.FIFO)]
    for pending, shortest, fifo in zip(PENDING, *times, strict=True):
        lines.append(f"| {pending:,} | {shortest:,.0f} | {fifo:,.0f} | {peak_megabytes(pending):.0f} |")
    return "### One full plan\n\n" + "\n".join(lines)


def _named(replay: Replay, name: str) -> Replay:
    return Replay(name, replay.figures, replay.rows)


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.report", description=__doc__)
    parser.add_argument("--trace", type=Path, default=TRACE, metavar="F")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="F.md")
    options = parser.parse_args(arguments)
    figures = report(options.trace, options.page.parent)
    sys.stdout.write(f"{figures}\n")
    write(options.page, figures)


if __name__ == "__main__":
    _main(sys.argv[1:])
