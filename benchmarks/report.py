"""All figures of docs/scheduling.md in one run: `make bench`."""

import sys
from pathlib import Path

from benchmarks.planning_speed import report_speed
from benchmarks.replay import SAGEQUEUE, SCHEDULERS, Replay, Setup, replay_all, table
from scheduler.domain.policy import Ordering

TRACE = Path(__file__).parent / "data" / "helios_venus_a.sched.csv.gz"


def report(trace: Path, instance_counts: tuple[int, ...]) -> str:
    """A table for each number of instances: SageQueue in both orderings beside the simpler schedulers."""
    parts = []
    for instances in instance_counts:
        runs = [(Setup(trace, instances), scheduler) for scheduler in SCHEDULERS]
        runs.append((Setup(trace, instances, Ordering.SHORTEST), SAGEQUEUE))
        *simpler, fifo, shortest = replay_all(runs)
        columns = [*simpler, _named(fifo, "fifo"), _named(shortest, "shortest")]
        parts.append(f"{trace.name}, {instances} instances\n\n{table(columns)}\n")
    return "\n".join(parts)


def _named(one: Replay, ordering: str) -> Replay:
    return Replay(f"{one.scheduler}, {ordering}", one.figures, one.cpu_seconds, one.rows)


if __name__ == "__main__":
    sys.stdout.write(report(TRACE, (100, 128)) + "\n")
    report_speed()
