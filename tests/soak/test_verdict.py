"""Shows that the judge of a soak finds each problem."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from soak.verdict import Jobs, judge, most_held
from support.builders.jobs import NOON
from support.deployed.account_state import Run

KIND = "ml.m5.large"
ENDED = Run("one-sq-1", "one", KIND, 2, "Completed", NOON, NOON + timedelta(seconds=10))
BUDGET = {KIND: 2}


def shown(state: str = "completed", *attempts: str) -> dict[str, Any]:
    names = attempts or ("one-sq-1",)
    return {"state": state, "reason": {"code": state}, "attempts": [{"name": name} for name in names]}


def problems(jobs: Jobs, *runs: Run, left: tuple[str, ...] = ()) -> list[str]:
    return [problem for claim in judge({"one"}, jobs, runs, BUDGET, left) for problem in claim.problems]


def test_a_job_that_completed_within_the_budget_is_no_problem() -> None:
    assert problems({"one": shown()}, ENDED) == []


@pytest.mark.parametrize("state", ["pending", "running", "parked", "stopping"])
def test_a_job_that_has_not_ended_is_lost(state: str) -> None:
    assert problems({"one": shown(state)}, replace(ENDED, status="Stopped")) == [f"one is {state}"]


def test_an_accepted_job_without_a_record_is_lost() -> None:
    assert "one is not there" in problems({}, ENDED)


def test_an_end_that_sagemaker_does_not_know_of_is_untrue() -> None:
    failed = replace(ENDED, status="Failed")
    assert problems({"one": shown()}, failed) == ["one is completed, its training jobs are ['Failed']"]
    assert problems({"one": shown("stopped")}, ENDED) == ["one is stopped and was completed: ['Completed']"]


def test_instances_beyond_the_budget_are_seen_at_the_moment_when_they_are_held() -> None:
    other = replace(ENDED, name="two-sq-1", job="two", instances=1, created_at=NOON + timedelta(seconds=9))
    jobs = {"one": shown(), "two": shown("completed", "two-sq-1")}
    assert problems(jobs, ENDED, other) == [f"3 of 2 × {KIND} at {other.created_at}"]
    later = replace(other, created_at=NOON + timedelta(seconds=10), ended_at=NOON + timedelta(seconds=11))
    assert problems(jobs, ENDED, later) == []
    assert most_held([ENDED, later], KIND) == 2


def test_two_training_jobs_of_a_job_at_once_are_seen() -> None:
    first = replace(ENDED, instances=1, status="Stopped")
    second = replace(ENDED, name="one-sq-2", instances=1, created_at=NOON + timedelta(seconds=5))
    jobs = {"one": shown("completed", "one-sq-1", "one-sq-2")}
    assert problems(jobs, first, second) == ["one: one-sq-1 had not ended when one-sq-2 began"]


def test_what_runs_on_or_is_in_no_record_is_an_orphan() -> None:
    assert problems({"one": shown("stopped")}, replace(ENDED, status="InProgress", ended_at=None)) == [
        "one-sq-1 is InProgress"
    ]
    assert "one-sq-1 is in no record" in problems({"one": shown("completed", "one-sq-2")}, ENDED)


def test_a_reservation_that_is_left_is_reported() -> None:
    assert problems({"one": shown()}, ENDED, left=("one-sq-1",)) == ["one-sq-1"]
