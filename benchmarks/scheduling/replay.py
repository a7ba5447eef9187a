"""Replays a trace with the production planner and, for comparison, with simpler schedulers.

python -m benchmarks.scheduling.replay --trace benchmarks/data/helios_week.sched.csv.gz --instances 96
"""

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.scheduling.baselines import Naive, StrictFifo
from benchmarks.scheduling.engine import AttemptRow, Decider, Engine
from benchmarks.scheduling.figures import Figures, figures
from benchmarks.scheduling.production import Production
from benchmarks.scheduling.trace import Submission, cut, read, reordered
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.policy import Policy

SAGEQUEUE = "SageQueue"
SCHEDULERS = ("strict FIFO", "naive", "priority + EASY", SAGEQUEUE)
#: The same planner, reduced to priorities and EASY backfill.
_EASY_ONLY = Policy(preemptions_per_job=0, starvation_share=0.0)


@dataclass(frozen=True, slots=True)
class Setup:
    trace: Path
    instances: int
    policy: Policy = field(default_factory=Policy)
    restart: int = 300
    checkpoint: int | None = 1800
    saves_at_notice: bool = False
    has_timers: bool = True  # False: decide on submissions and completions only
    days: tuple[int, int] | None = None  # replay only the jobs that were submitted on these days
    order: int = 0  # of submissions in the same second; 0: as in the trace


@dataclass(frozen=True, slots=True)
class Replay:
    scheduler: str
    figures: Figures
    rows: Sequence[AttemptRow]


def submissions_of(setup: Setup) -> Sequence[Submission]:
    everything = read(setup.trace)
    return reordered(cut(everything, *setup.days) if setup.days else everything, setup.order)


def replay(setup: Setup, scheduler: str) -> Replay:
    submissions = submissions_of(setup)
    decider = _decider(scheduler, setup)
    timers = decider.timers if setup.has_timers and isinstance(decider, Production) else None
    engine = Engine(submissions, setup.instances, setup.restart, setup.checkpoint, setup.saves_at_notice, timers)
    rows = engine.run(decider)
    return Replay(scheduler, figures(submissions, rows, setup.instances), rows)


def replay_all(setups: Sequence[tuple[Setup, str]]) -> list[Replay]:
    return list(replay_each(setups))


def replay_each(setups: Sequence[tuple[Setup, str]]) -> Iterator[Replay]:
    """Yields each replay once it and all before it have ended."""
    with ProcessPoolExecutor() as pool:
        yield from pool.map(replay, *zip(*setups, strict=True))


def table(replays: Sequence[Replay]) -> str:
    """Returns a table with a column for each scheduler and a row for each figure."""
    lines = [
        "| figure | " + " | ".join(replay.scheduler for replay in replays) + " |",
        "|---" * (len(replays) + 1) + "|",
    ]
    for name in asdict(replays[0].figures):
        values = [getattr(replay.figures, name) for replay in replays]
        lines.append(f"| {name} | " + " | ".join(f"{value:.2f}" for value in values) + " |")
    return "\n".join(lines)


def write_schedule(path: Path, rows: Sequence[AttemptRow]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["job", "attempt", "start_s", "end_s", "instances", "end_reason"])
        for row in sorted(rows, key=lambda row: (row.start, row.job, row.attempt)):
            writer.writerow([row.job, row.attempt, row.start, row.end, row.instances, row.end_reason])


def _decider(scheduler: str, setup: Setup) -> Decider:
    if scheduler == "strict FIFO":
        return StrictFifo()
    if scheduler == "naive":
        return Naive()
    policy = _EASY_ONLY if scheduler == "priority + EASY" else setup.policy
    return Production(setup.instances, policy, setup.checkpoint)


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.replay", description=__doc__)
    parser.add_argument("--trace", type=Path, required=True, metavar="F")
    parser.add_argument("--instances", type=int, required=True, metavar="N")
    parser.add_argument("--ordering", type=Ordering, choices=list(Ordering), default=Ordering.FIFO)
    parser.add_argument("--restart", type=int, default=300, metavar="SECONDS", help="Seconds that a restart takes.")
    parser.add_argument(
        "--checkpoint", type=int, default=1800, metavar="SECONDS", help="Seconds of work between checkpoints."
    )
    parser.add_argument("--json", action="store_true", help="Print the figures as JSON.")
    parser.add_argument(
        "--schedule", type=Path, metavar="OUT.csv", help="Write one row for each attempt under SageQueue."
    )
    options = parser.parse_args(arguments)
    policy = Policy(ordering=options.ordering, restart_time=options.restart)
    setup = Setup(options.trace, options.instances, policy, options.restart, options.checkpoint)
    replays = replay_all([(setup, scheduler) for scheduler in SCHEDULERS])
    if options.schedule:
        write_schedule(options.schedule, replays[-1].rows)
    sys.stdout.write((_as_json(replays) if options.json else table(replays)) + "\n")


def _as_json(replays: Sequence[Replay]) -> str:
    return json.dumps({replay.scheduler: asdict(replay.figures) for replay in replays}, indent=2)


if __name__ == "__main__":
    _main(sys.argv[1:])
