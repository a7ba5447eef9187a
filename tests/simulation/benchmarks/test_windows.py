"""Windows of the traces are replayed as the tables of benchmarks say."""

from benchmarks.scheduling.cases import WINDOWS, Case, Goals
from benchmarks.scheduling.changes import Ablation, replayed
from benchmarks.scheduling.replay import submissions_of

from scheduler.core.jobs.team import Ordering

A_DAY = Case("Week", "helios_week", 48, Goals(None, 0, None, None), (0, 1))


def test_without_claims_urgent_jobs_wait_longer_and_then_as_before() -> None:
    without = replayed(Ablation(A_DAY, has_timers=True, has_claims=False))
    usual = replayed(Ablation(A_DAY, has_timers=True, has_claims=True))
    assert without.high_p95_delay_min > usual.high_p95_delay_min


def test_a_window_has_the_load_of_its_case() -> None:
    for window, load in zip(WINDOWS, [0.94, 0.73] * 3, strict=True):
        setup = window.setup(Ordering.SHORTEST)
        work = sum(job.duration * job.instances for job in submissions_of(setup))
        begin, end = window.days or (0, 0)
        assert abs(work / ((end - begin) * 86_400 * window.instances) - load) < 0.02
