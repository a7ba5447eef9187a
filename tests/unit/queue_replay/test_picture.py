"""The counts that the picture of a replay draws."""

from datetime import UTC, datetime

import pytest

from queue_replay.picture import held_over_time, waiting_over_time
from queue_replay.replay import AttemptRecord
from scheduler.core.jobs.demand import Demand
from support.builders.jobs import a_job


def _attempt(waited_since: float, reserved_at: float, ended_at: float, instances: int = 1) -> AttemptRecord:
    job = a_job(demand=Demand.of({"ml.g5.xlarge": instances}), submitted_at=datetime.fromtimestamp(waited_since, UTC))
    return AttemptRecord(
        job, job.spec.demand, waited_since, reserved_at, reserved_at, ended_at, is_preempted=False, lost=0.0
    )


def test_who_waits_counts_until_its_instances_are_reserved() -> None:
    assert waiting_over_time([_attempt(0, 10, 20), _attempt(5, 10, 30)]) == ([0, 5, 10], [1, 2, 0])


def test_each_instance_is_held_until_the_attempt_ends() -> None:
    assert held_over_time([_attempt(0, 10, 20, 4), _attempt(5, 15, 30)]) == ([10, 15, 20, 30], [4, 5, 1, 0])


@pytest.mark.parametrize("count", [waiting_over_time, held_over_time])
def test_what_changes_nothing_is_no_step(count: object) -> None:
    handed_over = [_attempt(0, 0, 20), _attempt(0, 20, 30)]
    times, _ = count(handed_over)  # type: ignore[operator] # one of the two
    assert len(times) == len(set(times))
    assert waiting_over_time([_attempt(0, 0, 20)]) == ([], [])
