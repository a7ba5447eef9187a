"""The clock of the replays, the published policy and the figures, on traces small enough to work out by hand."""

from benchmarks.scheduling.baselines import Naive, StrictFifo
from benchmarks.scheduling.engine import AttemptRow, Engine
from benchmarks.scheduling.figures import figures
from benchmarks.scheduling.trace import Submission

HOUR = 3600


def submission(index: int, *, at: int = 0, runs: int = HOUR, instances: int = 1, priority: int = 0) -> Submission:
    return Submission(index, at, runs, instances, priority, 24 * HOUR, "ada", "vision")


def attempts(rows: list[AttemptRow]) -> list[tuple[int, int, int, str]]:
    return sorted((row.job, row.start, row.end, row.end_reason) for row in rows)


def test_strict_fifo_lets_nobody_pass() -> None:
    trace = [submission(0), submission(1, at=1, instances=2), submission(2, at=2)]

    rows = Engine(trace, instances=2).run(StrictFifo())

    assert [(row.job, row.start) for row in rows] == [(0, 0), (1, HOUR), (2, 2 * HOUR)]


def test_a_preempted_job_restarts_from_its_checkpoint_after_the_restart() -> None:
    # Preempted at 2000 s: one checkpoint of 1800 s is saved, 200 s are lost. Its place is taken at the next decision.
    trace = [submission(0), submission(1, at=2000, runs=100, priority=1), submission(2, at=2100, runs=50, priority=1)]

    rows = Engine(trace, instances=1, restart=300, checkpoint=1800).run(Naive())

    assert attempts(rows) == [
        (0, 0, 2000, "preempted"),
        (0, 2250, 2250 + 300 + 1800, "completed"),
        (1, 2100, 2200, "completed"),
        (2, 2200, 2250, "completed"),
    ]
    assert sum(row.lost for row in rows) == 200 + 300


def test_naive_stops_the_last_in_queue_order_and_nobody_of_its_own_priority() -> None:
    trace = [
        submission(0),
        submission(1, at=1),
        submission(2, at=2, priority=1),
        submission(3, at=3, priority=1),
        submission(4, at=4, priority=1),
    ]

    rows = Engine(trace, instances=2).run(Naive())

    preempted = [(row.job, row.end) for row in rows if row.end_reason == "preempted"]
    assert preempted == [(1, 2), (0, 3)]


def test_naive_lets_others_into_what_a_wide_job_stopped_for() -> None:
    trace = [
        submission(0, priority=1),
        submission(1),
        submission(2, at=10, instances=2, priority=1),
        submission(3, at=20),
    ]

    rows = Engine(trace, instances=2, restart=300).run(Naive())

    assert attempts(rows)[:3] == [
        (0, 0, HOUR, "completed"),
        (1, 0, 10, "preempted"),
        (1, 20, HOUR, "preempted"),
    ]


def test_the_figures_come_from_attempts_alone() -> None:
    trace = [submission(0, instances=4), submission(1, at=0, runs=600, priority=2)]
    rows = [
        AttemptRow(0, 1, 0, 1800, 4, "preempted", 0),
        AttemptRow(1, 1, 1800, 2400, 1, "completed", 0),
        AttemptRow(0, 2, 2400, 4500, 4, "completed", 300),
    ]

    found = figures(trace, rows, instances=4)

    assert found.mean_delay_h == (900 + 1800) / 2 / HOUR
    assert found.high_p95_delay_min == 30
    assert found.wide_mean_delay_h == 900 / HOUR
    assert found.preemptions_per_1000 == 500
    assert found.lost_percent == 100 * 300 * 4 / (1800 * 4 + 600 + 2100 * 4)
    assert found.mean_slowdown == (4500 / 3600 + 2400 / 600) / 2
