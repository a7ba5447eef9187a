"""Jobs that were submitted in the same second can change places, and no other jobs."""

from benchmarks.scheduling.trace import Submission, reordered

TRACE = [Submission(index, index // 10, 60 + index, 1, 0, 3600, "ada", "vision") for index in range(30)]


def durations(jobs: list[Submission], submit: int) -> list[int]:
    return [job.duration for job in jobs if job.submit == submit]


def test_order_0_is_that_of_the_trace() -> None:
    assert reordered(TRACE, 0) == TRACE


def test_only_jobs_of_the_same_second_change_places() -> None:
    jobs = list(reordered(TRACE, 1))
    assert [job.index for job in jobs] == list(range(30))
    assert [job.submit for job in jobs] == [job.submit for job in TRACE]
    for submit in range(3):
        assert durations(jobs, submit) != durations(TRACE, submit)
        assert sorted(durations(jobs, submit)) == durations(TRACE, submit)


def test_each_order_is_another_one_and_always_the_same() -> None:
    assert reordered(TRACE, 1) == reordered(TRACE, 1)
    assert reordered(TRACE, 1) != reordered(TRACE, 2)
