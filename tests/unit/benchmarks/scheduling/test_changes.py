"""Each change can be left out of a replay, and only of that replay."""

from benchmarks.scheduling.cases import WINDOWS, Case, Goals
from benchmarks.scheduling.changes import ABLATIONS, Ablation, replayed, table
from benchmarks.scheduling.figures import Figures

FIGURES = Figures(20.0, 5.0, 3.0, 0.1, 20.0, 2, 5.0, 2.0, 70.0)
A_DAY = Case("Week", "helios_week", 48, Goals(None, 0, None, None), (0, 1))


def test_without_claims_urgent_jobs_wait_longer_and_then_as_before() -> None:
    without = replayed(Ablation(A_DAY, has_timers=True, has_claims=False))
    usual = replayed(Ablation(A_DAY, has_timers=True, has_claims=True))
    assert without.high_p95_delay_min > usual.high_p95_delay_min


def test_each_window_is_replayed_with_each_change_alone() -> None:
    assert len({*ABLATIONS}) == 4 * len(WINDOWS)
    *_, last = table({ABLATIONS[1]: FIGURES}).splitlines()
    assert last == f"| {WINDOWS[0].name} | no | yes | 20 | 5 | 0.1 | 5 | 2 |"
