"""A job that is asked to stop while the scheduler changes it, and the end of its attempts."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs import transitions, user_actions
from scheduler.core.jobs.attempt import Observation, Outcome
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.stop_notice import Save
from support.builders.jobs import NOON, a_job, an_attempt

NO_ROOM = Reason(ReasonCode.CAPACITY, "no room")


@pytest.fixture
def requeued() -> Job:
    return user_actions.requeue(a_job(state=JobState.LAUNCHING, attempts=1), "ada", NOON)


def test_a_requeued_job_that_was_never_created_waits_without_a_stop(requeued: Job) -> None:
    for waiting in (
        transitions.retry_launch_later(requeued, NO_ROOM, NOON),
        transitions.resolve_name_clash(requeued, an_attempt(requeued), NOON),
    ):
        assert (waiting.status.state, waiting.status.stop) == (JobState.PENDING, None)


def test_a_requeued_job_is_stopped_when_its_creation_is_confirmed(requeued: Job) -> None:
    confirmed = transitions.confirm_running(requeued, NOON)
    assert (confirmed.status.state, confirmed.status.stop) == (JobState.STOPPING, Stop(StopCause.REQUEUE, NOON, "ada"))


def test_a_program_that_fails_before_its_stop_is_sent_counts_as_stopped() -> None:
    job = a_job(state=JobState.STOPPING, stop=Stop(StopCause.PREEMPTION, NOON, "urgent"), attempts=1)
    failed = Observation("Failed", "Failed", NOON, failure_reason="AlgorithmError: disk full", ended_at=NOON)
    ended = transitions.end_attempt(job, an_attempt(job), failed, NOON)
    assert (ended.status.state, ended.status.history[-1].outcome) == (JobState.PREEMPTED, Outcome.PREEMPTED)


def test_an_adopted_attempt_reserves_all_preferences_until_the_selection_is_known() -> None:
    job = a_job(state=JobState.RUNNING, has_preferences=True, selected=Demand.of({"ml.m5.large": 1}))
    assert transitions.adopt(job, 2, NOON).status.selected == NOTHING


def test_a_selection_keeps_the_reason_of_a_stop() -> None:
    job = a_job(state=JobState.STOPPING, stop=Stop(StopCause.CANCELLATION, NOON, "ada"), has_preferences=True)
    selected = transitions.record_selection(job, Demand.of({"ml.m5.large": 1}), NOON)
    assert (selected.status.state, selected.status.stop, selected.status.reason) == (
        JobState.STOPPING,
        job.status.stop,
        job.status.reason,
    )


STARTED, SAVED = Save(None, NOON), Save(7, NOON + timedelta(hours=1))


@pytest.mark.parametrize(
    ("checkpoints", "interval", "saved", "cost"),
    [
        ("s3://bucket/saves", 600, None, 1300),  # half an interval, and 1,000 seconds without instances
        ("s3://bucket/saves", None, SAVED, None),  # the program saves, but nobody knows how often
        ("s3://bucket/saves", None, None, None),
        ("s3://bucket/saves", None, STARTED, 19_000),
        (None, None, None, 19_000),
    ],
)
def test_an_interruption_costs_all_training_only_if_nothing_is_saved(
    checkpoints: str | None, interval: int | None, saved: Save | None, cost: int | None
) -> None:
    job = a_job(spot=True, checkpoint_uri=checkpoints, checkpoint_interval=interval, state=JobState.RUNNING, attempts=1)
    end = NOON + timedelta(seconds=20_000)
    seen = Observation("Stopped", "Stopped", end, training_started_at=NOON, ended_at=end, stretches=(18_000, 1000))
    attempt = replace(an_attempt(job), saved=saved)
    assert transitions.end_attempt(job, attempt, seen, end).status.history[-1].interrupted_seconds == cost
