"""Replays three traces at two budgets each, and writes the six cases in docs/explain/benchmarks.md with their goals.

python -m benchmarks.scheduling.cases python -m benchmarks.scheduling.cases --without-timers   prints the cases as if
sweeps made no decisions
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.replay import SAGEQUEUE, Setup, replay_all
from benchmarks.scheduling.report import PAGE, write
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.policy import Policy

_DATA = Path(__file__).parents[1] / "data"
_VENUS, _PHILLY, _PAI = "helios_venus_a", "philly_4vc", "pai_2020_sample"


@dataclass(frozen=True, slots=True)
class Goals:
    """The upper limit for each figure; None if it has no goal."""

    ratio: float | None  # the mean delay, divided by that of the naive policy
    high_p95_delay_min: float
    lost_percent: float | None
    low_longest_delay_d: float | None


@dataclass(frozen=True, slots=True)
class Case:
    title: str
    trace: str
    instances: int
    goals: Goals
    days: tuple[int, int] | None = None  # None: the whole trace

    @property
    def name(self) -> str:
        window = f", days {self.days[0]} to {self.days[1]}" if self.days else ""
        return f"{self.title} {self.instances}{window}"

    def setup(self, ordering: Ordering, *, has_timers: bool = True) -> Setup:
        return Setup(
            _DATA / f"{self.trace}.sched.csv.gz",
            self.instances,
            Policy(ordering=ordering),
            has_timers=has_timers,
            days=self.days,
        )


#: With the ordering `shortest`.
CASES = (
    Case("Venus", _VENUS, 100, Goals(0.22, 8, 0.5, 10.9)),
    Case("Venus", _VENUS, 128, Goals(0.43, 6, 0.2, 6.2)),
    Case("Philly", _PHILLY, 184, Goals(0.30, 10, 0.15, 45)),
    Case("Philly", _PHILLY, 236, Goals(0.32, 8, 0.1, 24)),
    Case("PAI", _PAI, 104, Goals(0.08, 8, 1.4, 13.4)),
    Case("PAI", _PAI, 132, Goals(0.19, 6, 0.6, 2.4)),
)
_NO_GOALS = Goals(None, inf, None, None)
#: Weeks of the traces, and four weeks of Philly, with jobs that run for weeks. Their offered loads are those of the six
#: cases.
WINDOWS = (
    Case("Venus", _VENUS, 104, _NO_GOALS, (14, 21)),
    Case("Venus", _VENUS, 134, _NO_GOALS, (14, 21)),
    Case("Philly", _PHILLY, 241, _NO_GOALS, (28, 56)),
    Case("Philly", _PHILLY, 306, _NO_GOALS, (28, 56)),
    Case("PAI", _PAI, 101, _NO_GOALS, (7, 14)),
    Case("PAI", _PAI, 130, _NO_GOALS, (7, 14)),
)
_FIFO_GOALS = Goals(None, 12, None, None)
_HEADS = (
    "case",
    "ordering",
    "mean delay, h",
    "mean delay, divided by the naive policy's",
    "high class, p95 of the delay, min",
    "lost, %",
    "low class, longest delay, d",
    "wide jobs, mean delay, h",
)

#: The figures of one case, by scheduler: the naive policy, and the orderings.
Found = Mapping[str, Figures]


def table(found: Sequence[Found]) -> str:
    """Returns a table with two rows for each case. A figure above its goal is bold."""
    rows = [row for case, figures in zip(CASES, found, strict=True) for row in _rows(case, figures)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (_HEADS, ("---",) * len(_HEADS), *rows))


def _rows(case: Case, found: Found) -> Iterator[tuple[str, ...]]:
    for ordering in (Ordering.SHORTEST, Ordering.FIFO):
        figures = found[ordering]
        ratio = figures.mean_delay_h / found["naive"].mean_delay_h
        goals = case.goals if ordering is Ordering.SHORTEST else _FIFO_GOALS
        yield (
            case.name,
            f"`{ordering}`",
            three_digits(figures.mean_delay_h),
            _judged(ratio, goals.ratio),
            _judged(figures.high_p95_delay_min, goals.high_p95_delay_min),
            _judged(figures.lost_percent, goals.lost_percent),
            _judged(figures.low_longest_delay_d, goals.low_longest_delay_d),
            three_digits(figures.wide_mean_delay_h),
        )


def _judged(value: float, goal: float | None) -> str:
    if goal is None:
        return three_digits(value)
    shown = three_digits(value) if value <= goal else f"**{three_digits(value)}**"
    return f"{shown} (≤ {goal:g})"


def three_digits(value: float) -> str:
    return f"{value:.3g}"


def _replayed(*, has_timers: bool) -> list[Found]:
    runs = [
        run
        for case in CASES
        for run in (
            (case.setup(Ordering.FIFO), "naive"),
            *((case.setup(ordering, has_timers=has_timers), SAGEQUEUE) for ordering in Ordering),
        )
    ]
    figures = iter([replay.figures for replay in replay_all(runs)])
    return [{kind: next(figures) for kind in ("naive", *Ordering)} for _ in CASES]


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.cases", description=__doc__)
    parser.add_argument(
        "--without-timers", action="store_true", help="Decide on submissions and completions only; write no page."
    )
    options = parser.parse_args(arguments)
    figures = table(_replayed(has_timers=not options.without_timers))
    sys.stdout.write(f"{figures}\n")
    if not options.without_timers:
        write(PAGE, figures, section="six cases")


if __name__ == "__main__":
    _main(sys.argv[1:])
