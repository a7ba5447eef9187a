"""The table of the six cases shows which goals are missed."""

from dataclasses import replace

from benchmarks.scheduling.cases import CASES, table
from benchmarks.scheduling.figures import Figures

from scheduler.core.jobs.team import Ordering

NAIVE = Figures(20.0, 5.0, 3.0, 0.1, 20.0, 2, 5.0, 2.0, 70.0)


def rows(shortest: Figures, fifo: Figures) -> list[list[str]]:
    found = {"naive": NAIVE, Ordering.SHORTEST: shortest, Ordering.FIFO: fifo}
    return [line.strip("| ").split(" | ") for line in table([found] * len(CASES)).splitlines()[2:]]


def test_a_figure_above_its_goal_is_bold() -> None:
    (case, _, *figures), *_ = rows(replace(NAIVE, mean_delay_h=5.0, high_p95_delay_min=7.94), NAIVE)
    assert case == "Venus 100"
    assert figures == ["5", "**0.25** (≤ 0.22)", "7.94 (≤ 8)", "0.1 (≤ 0.5)", "5 (≤ 10.9)", "2"]


def test_fifo_has_a_goal_for_the_high_class_only() -> None:
    found = rows(NAIVE, replace(NAIVE, high_p95_delay_min=12.5))
    assert [row[0] for row in found[1::2]] == [case.name for case in CASES]
    assert found[1][2:] == ["20", "1", "**12.5** (≤ 12)", "0.1", "5", "2"]


def test_every_case_has_its_trace() -> None:
    assert all(case.setup(Ordering.FIFO).trace.is_file() for case in CASES)
