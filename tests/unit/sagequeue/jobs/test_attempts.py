"""Tests which attempt decides the end of a job."""

import pytest

from sagequeue.contract.jobs import Attempt
from sagequeue.jobs.description import deciding_attempt, live_attempt
from unit.sagequeue.builders.jobs import a_job, an_attempt, preempted


@pytest.mark.parametrize("outcome", ["completed", "failed", "cancelled", "stopped_outside", "time_limit"])
def test_the_last_attempt_of_a_finished_job_decides(outcome: str) -> None:
    ended = an_attempt(2, outcome)
    assert deciding_attempt(a_job("completed", attempts=[preempted(), ended])) == ended


@pytest.mark.parametrize(
    ("state", "attempts"),
    [
        ("stopped", []),
        ("stopped", [preempted()]),
        ("failed", [an_attempt(1, "never_started")]),
        ("stopped", [an_attempt(1, "vanished")]),
        ("preempted", [preempted()]),
        ("running", [an_attempt()]),
    ],
)
def test_otherwise_no_attempt_decides_how_the_job_ended(state: str, attempts: list[Attempt]) -> None:
    assert deciding_attempt(a_job(state, attempts=attempts)) is None


def test_an_attempt_is_live_until_it_has_an_outcome() -> None:
    assert live_attempt(a_job(attempts=[preempted(), an_attempt(2)])) == an_attempt(2)
    assert live_attempt(a_job(attempts=[preempted()])) is None
    assert live_attempt(a_job()) is None
