"""The depth to which each group of the backlog is read."""

from datetime import timedelta

import pytest

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering import candidate_selection
from scheduler.core.planner.ordering.candidate_selection import MIN_PER_GROUP, CandidateSelection
from support.builders.jobs import NOON, Choice, a_job, changed_job
from support.builders.snapshots import gpus, waiting

MALLORY = "arn:aws:sts::123456789012:assumed-role/Mallory"


def test_a_line_is_read_no_further_once_there_are_enough_of_it() -> None:
    picking = CandidateSelection(Demand.of({"ml.m5.large": 2}))
    wanted = [picking.offer(a_job(f"job-{number}")) for number in range(MIN_PER_GROUP + 1)]
    assert wanted == (MIN_PER_GROUP - 1) * [True] + 2 * [False]
    assert len(picking.jobs) == MIN_PER_GROUP
    assert picking.offer(a_job("other", priority=7))


@pytest.mark.parametrize("choices", [None, [Choice(gpus(1), 3600), Choice(gpus(2), 3600)]])
def test_jobs_without_checkpoints_do_not_hide_a_job_with_checkpoints(choices: list[Choice] | None) -> None:
    """Before the budget shrinks, only the job with checkpoints may be able to start."""
    older = [waiting(f"old-{number:02}", after=number, choices=choices) for number in range(MIN_PER_GROUP)]
    saves = waiting("saves", after=99, checkpoint_uri="s3://bucket/saves", choices=choices)
    assert saves in picked(*older, saves)


def test_jobs_that_wait_to_retry_do_not_hide_a_job_that_may_start() -> None:
    retry = NOON + timedelta(hours=1)
    older = [waiting(f"old-{number:02}", after=number, not_before=retry) for number in range(MIN_PER_GROUP)]
    due = waiting("due", after=99)
    assert due in picked(*older, due)


def picked(*jobs: Job) -> list[Job]:
    selection = CandidateSelection(gpus(4))
    for job in jobs:
        selection.offer(job)
    return selection.jobs


def test_of_a_line_that_fills_the_budget_one_more_is_kept() -> None:
    room = 2 * MIN_PER_GROUP
    picking = CandidateSelection(Demand.of({kind: count * room for kind, count in a_job("job").spec.demand.counts}))
    for number in range(room + 5):
        picking.offer(a_job(f"job-{number}"))
    assert len(picking.jobs) == room + 1


def test_jobs_of_one_owner_take_the_place_of_no_other_owners_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_selection, "MAX_CANDIDATES", 16)
    picking = CandidateSelection(Demand.of({"ml.m5.large": 2}))
    for number in range(40):
        crowd = a_job(f"crowd-{number}", owner=f"{MALLORY}/{number}", priority=9, max_runtime=60 + number)
        picking.offer(crowd)
    assert len(picking.jobs) == 16  # one owner may use the place that no other owner needs
    assert not picking.is_full
    victims = [a_job(f"victim-{number}", max_runtime=60 + number) for number in range(2)]
    for victim in victims:
        picking.offer(victim)
    assert len(picking.jobs) == 16
    assert all(victim in picking.jobs for victim in victims)


def test_the_rest_of_an_owners_jobs_is_skipped_once_there_is_no_place_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_selection, "MAX_CANDIDATES", 16)
    picking, crowd = CandidateSelection(Demand.of({"ml.m5.large": 2})), a_job("crowd", owner=f"{MALLORY}/a")
    for number in range(15):
        picking.offer(changed_job(crowd, name=f"crowd-{number}", max_runtime=60 + number))
    assert picking.has_place_for(crowd)
    picking.offer(crowd)
    assert not picking.has_place_for(changed_job(crowd, owner=f"{MALLORY}/b"))
    assert picking.has_place_for(a_job("victim"))
