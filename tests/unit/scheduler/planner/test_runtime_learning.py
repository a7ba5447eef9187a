"""The end of an attempt updates runtime estimates."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.history.runtime_stats import similarity_keys
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import OwnerOrder, Team
from scheduler.core.planner.learned import ALL_OWNERS, MAX_RUN_GROUPS, Learned, run_record_of
from scheduler.core.planner.policy import Policy
from support.builders.jobs import GPU, NOON, a_job, changed_job

HOUR = timedelta(hours=1)
VISION = Team("vision", ("*:assumed-role/Scientist/*",))
WITH_TEAMS = Policy(teams=(VISION,))


def after(*outcomes: Outcome, **changes: Any) -> Job:
    """A job whose attempts each waited ten minutes for SageMaker and then trained for an hour."""
    history = tuple(
        EndedAttempt(f"resnet-sq-{n}", n, outcome, NOON, NOON + HOUR * 7 / 6, NOON + HOUR / 6)
        for n, outcome in enumerate(outcomes, start=1)
    )
    return a_job(history=history, attempts=len(history), **changes)


def learned(job: Job, past: Learned | None = None, policy: Policy = WITH_TEAMS) -> Learned:
    lesson = run_record_of(job, job.status.history[-1].name, policy)
    assert lesson is not None
    return lesson.add_to(past or Learned(), policy)


def expected_after(times: int, job: Job) -> float:
    past = Learned()
    for _ in range(times):
        past = learned(job, past)
    return past.runtime_stats_for([job]).expected_run_time(job)


@pytest.mark.parametrize("end", [Outcome.COMPLETED, Outcome.TIME_LIMIT])
def test_a_completed_job_updates_the_runtime_estimate(end: Outcome) -> None:
    assert expected_after(3, after(end)) == pytest.approx(3600)


def test_the_work_of_all_attempts_counts() -> None:
    assert expected_after(3, after(Outcome.PREEMPTED, Outcome.COMPLETED)) == pytest.approx(7200)


@pytest.mark.parametrize("end", [Outcome.FAILED, Outcome.CANCELLED, Outcome.PREEMPTED, Outcome.STOPPED_OUTSIDE])
def test_a_job_that_was_cut_off_does_not(end: Outcome) -> None:
    assert learned(after(end)).runs == {}


def test_a_job_of_another_owner_uses_the_estimate_of_all_owners() -> None:
    past = Learned()
    for _ in range(3):
        past = learned(after(Outcome.COMPLETED), past)
    bob = a_job("other", owner="bob")
    assert past.runtime_stats_for([bob]).expected_run_time(bob) == pytest.approx(3600)


def test_every_end_is_charged_to_the_team_for_as_long_as_it_held_instances() -> None:
    two = Demand.of({GPU: 2})
    for end in (Outcome.COMPLETED, Outcome.PREEMPTED, Outcome.FAILED):
        usage = learned(after(end, demand=two)).usage["vision"]
        assert usage.weighted_seconds == pytest.approx(2 * 4200)
        assert usage.as_of == NOON + HOUR * 7 / 6


def test_an_owner_without_a_team_is_charged_too() -> None:
    assert learned(after(Outcome.COMPLETED, owner="bob")).usage.keys() == {""}


def test_in_a_fair_team_the_owner_is_charged_like_the_team() -> None:
    fair = Policy(teams=(replace(VISION, owners=OwnerOrder.FAIR),))
    usage = learned(after(Outcome.COMPLETED), policy=fair).usage
    assert usage.keys() == {"vision", f"vision@{a_job().owner_key}"}
    assert len({*usage.values()}) == 1


def test_without_teams_no_owner_is_charged() -> None:
    assert learned(after(Outcome.COMPLETED), policy=Policy()).usage == {}


def test_usage_adds_up_and_fades() -> None:
    first = learned(after(Outcome.COMPLETED))
    later = after(Outcome.COMPLETED)
    week = timedelta(days=7)
    shifted = replace(later.status.history[0], reserved_at=NOON + week, ended_at=NOON + week + HOUR * 7 / 6)
    second = learned(changed_job(later, history=(shifted,)), first)
    assert second.usage["vision"].weighted_seconds == pytest.approx(4200 * 1.5)


def test_an_attempt_that_was_never_created_records_no_runtime() -> None:
    assert run_record_of(after(Outcome.NEVER_STARTED), "resnet-sq-1", WITH_TEAMS) is None
    assert run_record_of(after(Outcome.PREEMPTED), "resnet-sq-2", WITH_TEAMS) is None  # it went back to the queue
    assert run_record_of(a_job(), "resnet-sq-1", WITH_TEAMS) is None


def test_what_is_remembered_of_an_owner_is_bounded_and_forgets_what_was_not_seen_for_longest() -> None:
    past = Learned()
    for limit in range(3600, 3600 + MAX_RUN_GROUPS):
        past = past.with_run(a_job(max_runtime=limit), 60).with_run(a_job(max_runtime=86_400), 60)
    kept, first = past.runs[a_job().owner_key], a_job(max_runtime=3600)
    assert len(kept) == MAX_RUN_GROUPS
    assert len(past.runs[ALL_OWNERS]) == MAX_RUN_GROUPS
    always = a_job(max_runtime=86_400)
    assert past.runtime_stats_for([always]).runs[next(similarity_keys(always))].count == MAX_RUN_GROUPS
    assert next(similarity_keys(first)) not in past.runtime_stats_for([first]).runs
