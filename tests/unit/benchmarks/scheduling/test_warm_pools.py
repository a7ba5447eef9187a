"""The start-up model: what a pool saves and costs, on traces of two or three jobs."""

from benchmarks.scheduling.trace import Submission
from benchmarks.scheduling.warm_pools import COLD, WARM, Adaptive, Fixed, Pooled, PoolEngine


def one(index: int, submit: int, *, group: str = "vision", instances: int = 1, priority: int = 0) -> Submission:
    return Submission(index, submit, 600, instances, priority, 3600, "ada", group)


def replayed(*submissions: Submission, instances: int = 1, minutes: int = 10) -> PoolEngine:
    engine = PoolEngine(submissions, instances, keep=Fixed(minutes * 60))
    engine.run(Pooled(instances))
    return engine


def test_a_job_like_the_one_before_starts_warm() -> None:
    engine = replayed(one(0, 0), one(1, 1000))
    assert (engine.warm_starts, engine.starting) == (1, COLD + WARM)
    assert engine.retained == (1000 - 900) + 600  # until the second came, and after it


def test_a_job_of_another_group_has_the_pool_released_and_starts_cold() -> None:
    engine = replayed(one(0, 0), one(1, 1000, group="nlp"))
    assert (engine.warm_starts, engine.starting) == (0, 2 * COLD)


def test_a_queue_without_pools_keeps_nothing() -> None:
    engine = replayed(one(0, 0), one(1, 1000), minutes=0)
    assert (engine.warm_starts, engine.retained) == (0, 0)


def test_pools_are_within_the_budget() -> None:
    engine = replayed(one(0, 0), one(1, 0), one(2, 950, instances=2, priority=5), instances=2)
    assert [row.start for row in engine.rows if row.job == 2] == [950]
    assert engine.free == 2  # at the end


def test_an_adaptive_time_covers_the_gaps_that_were_worth_their_idle_time() -> None:
    adaptive = Adaptive(idle_price=1.0)
    assert adaptive.ended("vision", 0) == 60  # nothing is known yet
    for begin in range(0, 50_000, 10_000):
        adaptive.started("vision", begin + 100)
        kept = adaptive.ended("vision", begin + 10_000)
    assert kept == 101
    for begin in range(100_000, 400_000, 10_000):
        kept = adaptive.ended("vision", begin)  # no job follows any more
    assert kept == 60
