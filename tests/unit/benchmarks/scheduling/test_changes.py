"""The table of changes has each window with each change alone."""

from benchmarks.scheduling.cases import WINDOWS
from benchmarks.scheduling.changes import ABLATIONS, table
from benchmarks.scheduling.figures import Figures

FIGURES = Figures(20.0, 5.0, 3.0, 0.1, 20.0, 2, 5.0, 2.0, 70.0)


def test_each_window_is_replayed_with_each_change_alone() -> None:
    assert len({*ABLATIONS}) == 4 * len(WINDOWS)
    *_, last = table({ABLATIONS[1]: FIGURES}).splitlines()
    assert last == f"| {WINDOWS[0].name} | no | yes | 20 | 5 | 0.1 | 5 | 2 |"
