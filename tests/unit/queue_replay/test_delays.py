"""The delays of a replay's jobs, and whose jobs held the instances meanwhile."""

from datetime import UTC, datetime
from typing import Any

import pytest

from queue_replay.delays import delays_by_priority, percentile, waits_for
from queue_replay.replay import AttemptRecord
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from support.builders.jobs import a_job

GPU = "ml.g5.xlarge"


def _attempt(name: str, waited_since: float, reserved_at: float, ended_at: float, **values: Any) -> AttemptRecord:
    instances, kind = values.pop("instances", 1), values.pop("kind", GPU)
    submitted = datetime.fromtimestamp(values.pop("submitted", waited_since), UTC)
    job = a_job(name, demand=Demand.of({kind: instances}), submitted_at=submitted, priority=values.pop("priority", 0))
    lost = values.pop("lost", 0.0)
    return AttemptRecord(
        job, job.spec.demand, waited_since, reserved_at, reserved_at, ended_at, is_preempted=lost > 0, lost=lost
    )


def _name(job: Job) -> str:
    return job.name


def test_the_delay_of_a_preempted_job_has_both_waits_and_the_repeated_work() -> None:
    attempts = [_attempt("one", 0, 10, 40, lost=20), _attempt("one", 40, 45, 100, submitted=0)]
    assert delays_by_priority(attempts) == {0: [10 + 5 + 20]}


def test_a_job_that_has_not_completed_has_no_delay() -> None:
    assert delays_by_priority([_attempt("one", 0, 10, 40, lost=20)]) == {}


def test_the_highest_priority_comes_first() -> None:
    attempts = [_attempt("one", 0, 3, 4), _attempt("two", 0, 1, 2, priority=9), _attempt("three", 0, 2, 9)]
    assert list(delays_by_priority(attempts).items()) == [(9, [1]), (0, [2, 3])]


@pytest.mark.parametrize(("values", "found"), [([], 0), ([7], 7), (list(range(1, 101)), 95)])
def test_a_percentile_is_one_of_the_values(values: list[float], found: float) -> None:
    assert percentile(values, 95) == found


def test_a_wait_is_divided_by_the_instances_that_each_job_holds() -> None:
    attempts = [
        _attempt("large", 0, 0, 100, instances=3),
        _attempt("small", 0, 0, 50),
        _attempt("waiting", 10, 100, 200, instances=4),
    ]
    assert waits_for(attempts, _name) == {("waiting", "large"): 40 * 3 / 4 + 50, ("waiting", "small"): 40 / 4}


def test_instances_of_other_types_do_not_count() -> None:
    attempts = [_attempt("other", 0, 0, 100, kind="ml.m5.large"), _attempt("waiting", 10, 100, 200)]
    assert waits_for(attempts, _name) == {}
