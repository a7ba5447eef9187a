"""When an attempt leaves spot instances, by the settings."""

from dataclasses import replace
from typing import Any

import pytest

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.job_state import JobState
from scheduler.core.retries.retry_decision import may_leave_spot
from support.builders.jobs import NOON, a_sighting
from support.builders.snapshots import running

TRAINS = a_sighting(training_started_at=NOON)
TAKEN_AWAY = EndedAttempt("a-sq-1", 1, Outcome.PREEMPTED, NOON, NOON, interruptions=1)


def test_an_attempt_that_kept_its_instances_stays() -> None:
    assert not may_leave_spot(running("a"), TRAINS)


@pytest.mark.parametrize(
    "observation",
    [a_sighting(), replace(TRAINS, secondary_status="Interrupted"), replace(TRAINS, interruptions=1)],
    ids=["waits for instances", "waits for them again", "was interrupted"],
)
def test_an_attempt_without_instances_may_leave(observation: Any) -> None:
    assert may_leave_spot(running("a"), observation)
    assert not may_leave_spot(running("a", on_demand=True), observation)
    assert not may_leave_spot(running("a", state=JobState.STOPPING), observation)


def test_what_earlier_attempts_lost_counts() -> None:
    assert may_leave_spot(running("a", history=(TAKEN_AWAY,)), TRAINS)
