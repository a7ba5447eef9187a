"""A budget smaller than what is running, or than a job needs."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.calendar.calendar import LET_FINISH, Excess, ExcessRule
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import GPU, NOON
from support.builders.snapshots import a_snapshot, gpus, running, stopping, waiting

STOP = ExcessRule(Excess.STOP)
NOW = NOON + timedelta(minutes=30)
CHECKPOINTS: dict[str, Any] = {"checkpoint_uri": "s3://bucket/checkpoints"}


def shrunk_to(budget: int, *jobs: Job | LiveJob, stop: bool = True) -> Plan:
    snapshot = replace(
        a_snapshot(budget, *jobs), policy=Policy(), excess=STOP if stop else LET_FINISH, largest_later_budget=four()
    )
    return plan(snapshot, NOW)


def four() -> Budget:
    return Budget(gpus(4), (GPU,))


def evicted(decided: Plan) -> set[str]:
    return {entry.victim.job.name for entry in decided.evictions}


def test_no_job_is_stopped_unless_the_operator_says_so() -> None:
    assert evicted(shrunk_to(1, running("a"), running("b"), stop=False)) == set()


def test_the_lowest_priority_is_stopped_and_none_more_than_needed() -> None:
    decided = shrunk_to(3, running("low", 0, holds=1), running("wide", 1, holds=2), running("high", 2, holds=2))
    assert evicted(decided) == {"wide"}
    assert decided.evictions[0].reason.code is ReasonCode.OVER_BUDGET


def test_what_is_stopping_already_counts_as_gone() -> None:
    assert evicted(shrunk_to(1, running("a"), stopping("b"))) == set()


def test_an_attempt_that_is_not_confirmed_yet_is_left_alone() -> None:
    assert evicted(shrunk_to(0, running("a", state=JobState.LAUNCHING))) == set()


def test_jobs_that_are_never_to_be_preempted_go_last() -> None:
    assert evicted(shrunk_to(1, running("vip", 0, never_preempt=True), running("other", 9))) == {"other"}
    assert evicted(shrunk_to(0, running("vip", 0, never_preempt=True))) == {"vip"}


def test_what_can_be_stopped_is_stopped_also_where_that_is_not_enough() -> None:
    snapshot = replace(a_snapshot(0, running("job"), running("new", state=JobState.LAUNCHING)), excess=STOP)
    assert evicted(plan(snapshot, NOW)) == {"job"}
    assert evicted(plan(above_by_unmanaged_jobs(is_account_budget=True), NOW)) == {"job"}


def test_no_job_is_stopped_for_unmanaged_jobs_if_the_budget_is_the_queues() -> None:
    assert evicted(plan(above_by_unmanaged_jobs(is_account_budget=False), NOW)) == set()


@pytest.mark.parametrize(("is_account_budget", "victims"), [(True, 5), (False, 0)])
def test_no_job_is_preempted_in_place_of_unmanaged_jobs_if_the_budget_is_the_queues(
    is_account_budget: bool, victims: int
) -> None:
    low = [running(f"low{number}", 0) for number in range(8)]
    snapshot = a_snapshot(8, *low, waiting("urgent", 9))
    above = replace(snapshot, held_by_unmanaged_jobs=gpus(4), is_account_budget=is_account_budget)
    assert len(plan(above, NOW).preemptions) == victims
    free_again = replace(above, budget=Budget.parse(f"{GPU}=12"))
    assert len(plan(free_again, NOW).preemptions) == 1


def above_by_unmanaged_jobs(*, is_account_budget: bool) -> Snapshot:
    snapshot = a_snapshot(2, running("job"))
    return replace(snapshot, held_by_unmanaged_jobs=gpus(4), is_account_budget=is_account_budget, excess=STOP)


def test_nothing_is_launched_until_it_fits_again() -> None:
    decided = shrunk_to(1, running("a"), running("b"), waiting("next"), stop=False)
    assert [wait.reason.code for wait in decided.waits] == [ReasonCode.WAITS_FOR_BUDGET]
    assert decided.launches == ()


def test_a_job_that_fits_the_parameter_waits_for_it_and_delays_no_other() -> None:
    decided = shrunk_to(1, waiting("wide", 5, needs=4), waiting("small"), stop=False)
    assert [entry.job.name for entry in decided.launches] == ["small"]
    (wait,) = decided.waits
    assert (wait.job.name, wait.reason.code) == ("wide", ReasonCode.EXCEEDS_BUDGET)
    assert decided.parks == ()


def test_a_job_that_fits_neither_is_parked() -> None:
    assert [entry.job.name for entry in shrunk_to(1, waiting("huge", needs=5)).parks] == ["huge"]


@pytest.mark.parametrize(
    ("tens", "fives", "first"),
    [
        ({"checkpoint_interval": 600}, {"checkpoint_interval": 1500}, "tens"),  # 0 and 5 minutes are unsaved
        ({"checkpoint_interval": 1500}, {"checkpoint_interval": 600}, "fives"),
        ({}, {"checkpoint_interval": 1500}, "fives"),  # without an interval all is unsaved
    ],
)
def test_least_unsaved_work_goes_first(tens: dict[str, Any], fives: dict[str, Any], first: str) -> None:
    jobs = [running("tens", **tens | CHECKPOINTS), running("fives", **fives | CHECKPOINTS)]
    assert evicted(shrunk_to(1, *jobs)) == {first}


def test_starting_and_downloading_are_no_work_that_a_stop_loses() -> None:
    later = running("a", checkpoint_interval=1800, **CHECKPOINTS)
    since = later.started_at + timedelta(minutes=5)
    seen = Observation("InProgress", "Training", since, training_started_at=later.started_at, training_since=since)
    later = replace(
        later, attempt=replace(later.attempt, observation=seen)
    )  # 25 minutes are unsaved, of the other none
    assert evicted(shrunk_to(1, later, running("b", checkpoint_interval=1800, **CHECKPOINTS))) == {"b"}
