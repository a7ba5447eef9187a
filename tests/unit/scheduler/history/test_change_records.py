"""The fields of a job that the history records."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.history.change import Change, RecordedAction, change_of
from scheduler.core.jobs import transitions, user_actions
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.start_conditions import JobTimes
from scheduler.core.jobs.team import Team
from support.builders.jobs import GPU, NOON, Choice, a_job, a_sighting, an_attempt, changed_job, launching

ADA = "arn:aws:sts::123456789012:assumed-role/Scientist/ada"


def _hours(count: float) -> timedelta:
    return timedelta(hours=count)


def _change(job: Job) -> Change:
    return change_of(job, "schedule", NOON, (Team("vision", ("*:assumed-role/Scientist/*",)),))


def _ended(job: Job, reserved: float, ended: float, status: str = "Completed", **said: object) -> Job:
    job = launching(job)
    attempt = an_attempt(job, job.status.attempts, reserved_at=NOON + _hours(reserved))
    observation = a_sighting(status, training_started_at=attempt.reserved_at, ended_at=NOON + _hours(ended), **said)
    return transitions.end_attempt(job, attempt, observation, NOON + _hours(ended))


def test_a_vanished_attempt_held_what_its_choice_is_of() -> None:
    choices = (Choice(Demand.of({"ml.p4d.24xlarge": 4}), 3600), Choice(Demand.of({GPU: 1}), 3600))
    job = launching(a_job(choices=choices).as_choice(1))
    run = _change(transitions.end_vanished(job, an_attempt(job), NOON)).run
    assert run is not None
    assert run.demand == choices[1].demand


def test_only_the_version_that_records_the_end_of_an_attempt_has_a_new_run() -> None:
    recorded = replace(_ended(a_job(version=6), reserved=1, ended=2), version=7)
    by_pools = change_of(replace(recorded, version=9), "pools", NOON, ())
    changes = (_change(recorded), _change(replace(recorded, version=8)), by_pools)
    assert [change.run.is_new for change in changes if change.run] == [True, False, False]


def test_a_change_names_the_owner_and_the_team() -> None:
    change = _change(a_job(owner=ADA, tags=(("project", "x"),)))
    assert (change.owner, change.team, change.tags) == (ADA, "vision", (("project", "x"),))


def test_new_actions_are_reported_and_earlier_ones_are_not() -> None:
    held = a_job(updated_at=NOON).with_action(ActionKind.HELD, NOON, by=ADA)
    later = transitions.park(held, Reason(ReasonCode.EXCEEDS_BUDGET), NOON + _hours(1))
    assert _change(held).done == (RecordedAction(ActionKind.HELD, ADA),)
    assert _change(later).done == (RecordedAction(ActionKind.PARKED, "queue"),)


def test_a_job_waited_for_its_first_attempt_since_it_was_submitted() -> None:
    run = _change(_ended(a_job(), reserved=1, ended=2)).run
    assert run is not None
    assert (run.waited_since, run.reserved_at) == (NOON, NOON + _hours(1))


def test_a_job_waited_for_its_next_attempt_since_the_end_of_the_one_before() -> None:
    twice = _ended(_ended(a_job(), 1, 2, "Failed"), reserved=5, ended=6)
    run = _change(twice).run
    assert run is not None
    assert (run.number, run.waited_since) == (2, NOON + _hours(2))


def test_the_time_between_an_end_and_a_requeue_is_no_wait() -> None:
    requeued = user_actions.requeue(_ended(a_job(), 1, 2, "Failed"), ADA, NOON + _hours(4))
    run = _change(_ended(requeued, reserved=5, ended=6)).run
    assert run is not None
    assert run.waited_since == NOON + _hours(4)


def test_the_time_before_a_job_may_start_is_no_wait() -> None:
    job = changed_job(a_job(), times=JobTimes(not_before=NOON + _hours(2)))
    waiting, run = _change(job), _change(_ended(job, reserved=3, ended=4)).run
    assert run is not None
    assert waiting.waits_since == run.waited_since == NOON + _hours(2)
    released = changed_job(a_job(), released_at=NOON + _hours(1))
    run = _change(_ended(released, reserved=3, ended=4)).run
    assert run is not None
    assert _change(released).waits_since == run.waited_since == NOON + _hours(1)


def test_a_run_says_what_sagemaker_bills() -> None:
    run = _change(_ended(a_job(), 1, 2, billable_seconds=1234)).run
    assert run is not None
    assert (run.outcome, run.billable_seconds) == (Outcome.COMPLETED, 1234)


def test_a_run_had_the_instances_of_its_choice_whatever_the_job_takes_next() -> None:
    choices = (Choice(Demand.of({"ml.p5.48xlarge": 1}), 86400), Choice(Demand.of({GPU: 4}), 86400))
    ran = _ended(a_job(choices=choices, choice=1, demand=choices[1].demand), 1, 2, "Failed")
    run = _change(ran.as_choice(0)).run
    assert run is not None
    assert run.demand == choices[1].demand


def test_of_preferences_a_run_had_what_was_selected_and_the_next_one_wants_all_again() -> None:
    both, one = Demand.of({GPU: 1, "ml.m5.large": 1}), Demand.of({"ml.m5.large": 1})
    job = _ended(a_job(demand=both, has_preferences=True), reserved=1, ended=2, selected=one)
    change = _change(job)
    assert change.run is not None
    assert (change.demand, change.run.demand) == (one, one)
    waiting = _change(changed_job(job, state=JobState.PENDING))
    assert waiting.run is not None
    assert (waiting.demand, waiting.run.demand) == (both, one)


def test_a_stopping_job_names_its_beneficiary() -> None:
    victim = transitions.preempt_for(a_job(), a_job("urgent"), Reason(ReasonCode.OUTRANKED, "preempted"), NOON)
    assert (_change(victim).stopped_for, _change(victim).message) == ("urgent", "preempted")


@pytest.mark.parametrize("code", [ReasonCode.FAILED, ReasonCode.CREATE_REFUSED, ReasonCode.RULE_VIOLATED])
def test_what_others_said_is_not_kept_because_it_may_quote_the_request(code: ReasonCode) -> None:
    assert _change(a_job(reason=Reason(code, "lr=s3cret"))).message == ""


def test_no_action_is_kept_with_its_message() -> None:
    job = a_job().with_action(ActionKind.RETRIED, NOON, "resnet-sq-1 failed: lr=s3cret")
    assert "s3cret" not in str(_change(job))


def test_the_end_of_a_pool_is_recorded_with_the_attempt_that_left_it_though_another_followed() -> None:
    twice = _ended(_ended(a_job(), reserved=1, ended=2), reserved=3, ended=4)
    left, last = twice.status.history
    priced = replace(left, retained_seconds=600, retained_reported_in=7)
    job = changed_job(twice, history=(priced, last), version=7)
    by_pools = change_of(job, "pools", NOON, ())
    assert by_pools.run is not None
    assert (by_pools.run.name, by_pools.run.retained_seconds) == (left.name, 600)
    assert by_pools.run.waited_since == NOON
    later = change_of(replace(job, version=8), "schedule", NOON, ()).run
    assert later is not None
    assert (later.name, later.waited_since) == (last.name, left.ended_at)
