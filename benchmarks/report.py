"""All figures of docs/scheduling.md in one run: `make bench` writes them into the page, and the pictures beside it."""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.planning_speed import PENDING, p99_milliseconds, peak_megabytes
from benchmarks.plot import draw
from benchmarks.replay import SAGEQUEUE, SCHEDULERS, Replay, Setup, replay_all, table
from benchmarks.targets import verdicts
from benchmarks.trace import read
from scheduler.core.planner.policy import Ordering

PAGE = Path(__file__).parents[1] / "docs" / "scheduling.md"
TRACE = Path(__file__).parent / "data" / "helios_venus_a.sched.csv.gz"
#: Those for which there are targets.
SIZES = (100, 128)
_FIGURES = re.compile(r"(<!-- figures: begin[^\n]*-->\n).*(<!-- figures: end -->)", re.DOTALL)

#: By scheduler, SageQueue by its ordering.
Replays = Mapping[str, Replay]


def report(trace: Path, pictures: Path) -> str:
    measured = [_replayed(trace, instances) for instances in SIZES]
    for instances, replays in zip(SIZES, measured, strict=True):
        shown = [_named(replays[Ordering.FIFO], "SageQueue, fifo"), replays["naive"]]
        draw(pictures / f"scheduling-{instances}.png", read(trace), shown, instances)
    speed = {ordering: p99_milliseconds(ordering) for ordering in Ordering}
    ours = {ordering: [replays[ordering] for replays in measured] for ordering in Ordering}
    targets = verdicts(ours, [replays["priority + EASY"] for replays in measured], speed)
    chapters = [f"## Targets\n\nAt {' / '.join(map(str, SIZES))} instances.\n\n{targets}"]
    chapters += [_chapter(trace, *one) for one in zip(SIZES, measured, strict=True)]
    return "\n\n".join([*chapters, _memory()])


def write(page: Path, figures: str) -> None:
    text, count = _FIGURES.subn(lambda found: f"{found[1]}\n{figures}\n\n{found[2]}", page.read_text())
    if count != 1:
        raise ValueError(f"{page} has no place for the figures")
    page.write_text(text)


def _replayed(trace: Path, instances: int) -> Replays:
    runs = [(Setup(trace, instances), scheduler) for scheduler in SCHEDULERS]
    runs.append((Setup(trace, instances, Ordering.SHORTEST), SAGEQUEUE))
    *simpler, fifo, shortest = replay_all(runs)
    return {one.scheduler: one for one in simpler} | {Ordering.FIFO: fifo, Ordering.SHORTEST: shortest}


def _chapter(trace: Path, instances: int, replays: Replays) -> str:
    columns = [_named(one, f"SageQueue, {name}" if name in list(Ordering) else name) for name, one in replays.items()]
    return (
        f"## {instances} instances\n\n`{trace.name}`:\n\n{table(columns)}\n\n"
        "![Waiting time by class, and instances in use by day: SageQueue with fifo beside the naive policy]"
        f"(scheduling-{instances}.png)"
    )


def _memory() -> str:
    megabytes = {pending: peak_megabytes(pending) for pending in PENDING}
    sizes = " and ".join(f"{pending:,} pending jobs {size:.0f} MB" for pending, size in megabytes.items())
    return f"Beside its snapshot a plan takes at its peak, of {sizes}."


def _named(one: Replay, name: str) -> Replay:
    return Replay(name, one.figures, one.cpu_seconds, one.rows)


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.report", description=__doc__)
    parser.add_argument("--trace", type=Path, default=TRACE, metavar="F")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="F.md")
    options = parser.parse_args(arguments)
    figures = report(options.trace, options.page.parent)
    sys.stdout.write(f"{figures}\n")
    write(options.page, figures)


if __name__ == "__main__":
    _main(sys.argv[1:])
