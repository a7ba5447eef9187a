"""All figures of docs/scheduling.md in one run: `make bench`."""

from pathlib import Path

from benchmarks.planning_speed import report_speed
from benchmarks.plot import draw
from benchmarks.replay import SAGEQUEUE, SCHEDULERS, Replay, Setup, replay_all, table
from benchmarks.trace import read
from scheduler.domain.policy import Ordering

PICTURES = Path(__file__).parents[1] / "docs"
TRACE = Path(__file__).parent / "data" / "helios_venus_a.sched.csv.gz"


def report(trace: Path, instances: int) -> str:
    """SageQueue in both orderings beside the simpler schedulers."""
    runs = [(Setup(trace, instances), scheduler) for scheduler in SCHEDULERS]
    runs.append((Setup(trace, instances, Ordering.SHORTEST), SAGEQUEUE))
    strict, naive, easy, fifo, shortest = replay_all(runs)
    fifo, shortest = _named(fifo, "fifo"), _named(shortest, "shortest")
    columns = [strict, naive, easy, fifo, shortest]
    draw(PICTURES / f"scheduling-{instances}.png", read(trace), [fifo, naive], instances)
    return f"{trace.name}, {instances} instances\n\n{table(columns)}\n"


def _named(one: Replay, ordering: str) -> Replay:
    return Replay(f"{one.scheduler}, {ordering}", one.figures, one.cpu_seconds, one.rows)


if __name__ == "__main__":
    for count in (100, 128):
        print(report(TRACE, count), flush=True)
    report_speed()
