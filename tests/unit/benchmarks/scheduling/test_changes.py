"""The tables of changes have each window with each change alone, and each case with and without both."""

from dataclasses import replace

from benchmarks.scheduling.cases import CASES, WINDOWS
from benchmarks.scheduling.changes import ABLATIONS, WHOLE, table, table_of_cases
from benchmarks.scheduling.figures import Figures

FIGURES = Figures(20.0, 5.0, 3.0, 0.1, 20.0, 2, 5.0, 2.0, 70.0)


def test_each_window_is_replayed_with_each_change_alone() -> None:
    assert len({*ABLATIONS}) == 4 * len(WINDOWS)
    _heads, _rule, _neither, claims, *_ = table([FIGURES] * len(ABLATIONS))
    assert claims == f"| {WINDOWS[0].name} | no | yes | 20 | 5 | 0.1 | 5 | 2 |"


def test_each_case_shows_each_figure_without_both_changes_and_then_with_both() -> None:
    found = [replace(FIGURES, mean_delay_h=3.0 if one.has_claims else 4.0) for one in WHOLE]
    heads, _, first, second, *_ = table_of_cases(found)
    assert first.startswith(f"| {CASES[0].name} | `shortest` | 4 → 3 | 5 → 5 |")
    assert second.startswith(f"| {CASES[0].name} | `fifo` | 4 → 3 |")
    assert heads.count("|") == first.count("|")
