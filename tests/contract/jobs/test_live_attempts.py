"""JobStore: a live attempt keeps the cycle's marks and SageMaker's observations."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseLost, OverBudget, StaleJob
from scheduler.ports.job_store import JobStore
from support.builders.attempts import finish, known_attempt, launch, submitted
from support.builders.jobs import NOON, a_sighting

ONE, OTHER = Demand.of({"ml.g5.xlarge": 2}), Demand.of({"ml.p5.48xlarge": 1})
BOTH = ONE + OTHER
BUDGET_OF_BOTH = Budget(BOTH, tuple(BOTH))


def test_an_update_writes_the_job_and_its_attempt(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    attempt = replace(live.attempt, created=True, stop_sent=True)
    job = jobs.update_attempt(replace(live.job, state=JobState.RUNNING), attempt, lease)
    assert jobs.live() == (LiveJob(job, attempt),)
    assert (job.state, job.version) == (JobState.RUNNING, 2)


def test_an_update_of_a_changed_job_is_refused(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    jobs.save(replace(live.job, state=JobState.STOPPING), by="api")
    with pytest.raises(StaleJob):
        jobs.update_attempt(live.job, replace(live.attempt, created=True), lease)
    assert jobs.attempt(live.attempt.name) == live.attempt


def test_an_update_of_a_settled_attempt_is_refused(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    settled = finish(jobs, live, lease)
    with pytest.raises(StaleJob):
        jobs.update_attempt(settled, live.attempt, lease)
    assert jobs.live() == ()


def test_what_sagemaker_did_not_select_is_free_once_that_is_written(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs, demand=BOTH), lease, BUDGET_OF_BOTH)
    job = jobs.narrow(replace(live.job, selected=ONE), live.attempt, lease)
    assert jobs.live() == (LiveJob(job, replace(live.attempt, demand=ONE)),)
    launch(jobs, submitted(jobs, "next", demand=OTHER), lease, BUDGET_OF_BOTH)


def test_a_cached_job_is_read_again_after_the_selection(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs, demand=BOTH), lease, BUDGET_OF_BOTH)
    job = jobs.narrow(replace(live.job, selected=ONE), live.attempt, lease)
    assert [one.job for one in jobs.live({"resnet": live.job})] == [job]


def test_what_was_selected_is_written_once(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs, demand=BOTH), lease, BUDGET_OF_BOTH)
    narrowed = jobs.narrow(replace(live.job, selected=ONE), live.attempt, lease)
    with pytest.raises(StaleJob):
        jobs.narrow(narrowed, live.attempt, lease)
    with pytest.raises(OverBudget):
        launch(jobs, submitted(jobs, "next", demand=ONE), lease, BUDGET_OF_BOTH)


def test_nothing_is_freed_under_a_lease_that_is_lost(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs, demand=BOTH), lease, BUDGET_OF_BOTH)
    with pytest.raises(LeaseLost):
        jobs.narrow(replace(live.job, selected=ONE), live.attempt, replace(lease, fence=lease.fence - 1))
    assert jobs.live() == (live,)


def test_when_a_create_was_sent_again_is_kept_with_its_attempt(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    sent = jobs.record_sent_at(live.attempt, NOON + timedelta(minutes=3), lease)
    assert (sent.last_sent_at, jobs.live()) == (NOON + timedelta(minutes=3), (LiveJob(live.job, sent),))
    assert jobs.record_sent_at(sent, NOON, lease).last_sent_at == NOON
    assert known_attempt(jobs, live.attempt.name).last_sent_at == NOON


def test_when_a_create_was_sent_is_not_written_over_what_another_cycle_wrote(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    sent = jobs.record_sent_at(live.attempt, NOON + timedelta(minutes=3), lease)
    for known in (live.attempt, replace(sent, sent_at=NOON)):
        with pytest.raises(StaleJob):
            jobs.record_sent_at(known, NOON + timedelta(minutes=4), lease)
    assert jobs.live() == (LiveJob(live.job, sent),)


def test_no_create_is_noted_of_a_settled_attempt(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    finish(jobs, live, lease)
    with pytest.raises(StaleJob):
        jobs.record_sent_at(live.attempt, NOON, lease)
    assert jobs.live() == ()


def test_an_update_leaves_alone_what_an_event_said_in_between(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    ended = a_sighting("Completed")
    assert jobs.record_observation(live.attempt.name, ended, by="training_events")
    jobs.update_attempt(live.job, replace(live.attempt, created=True), lease)
    known = known_attempt(jobs, live.attempt.name)
    assert (known.created, known.observation, known.needs_polling) == (True, ended, True)


def test_an_observation_of_a_live_attempt_is_kept(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    observation = a_sighting(message="Downloading", training_started_at=NOON)
    assert jobs.record_observation(live.attempt.name, observation, by="training_events")
    assert jobs.live() == (LiveJob(live.job, replace(live.attempt, observation=observation)),)


@pytest.mark.parametrize("status", ["Completed", "Failed", "Stopped"])
def test_an_observation_of_the_end_asks_for_a_poll(jobs: JobStore, lease: Lease, status: str) -> None:
    attempt = launch(jobs, submitted(jobs), lease).attempt
    assert jobs.record_observation(attempt.name, a_sighting(status), by="training_events")
    assert known_attempt(jobs, attempt.name).needs_polling


def test_an_observation_of_no_live_attempt_is_dropped(jobs: JobStore, lease: Lease) -> None:
    live = launch(jobs, submitted(jobs), lease)
    finish(jobs, live, lease)
    assert not jobs.record_observation(live.attempt.name, a_sighting("Completed"), by="training_events")
    assert not jobs.record_observation("somebody-elses-job", a_sighting("Completed"), by="training_events")
    assert jobs.live() == ()


@pytest.mark.parametrize(
    ("known", "late", "kept"),
    [
        (a_sighting(), a_sighting("Stopping", modified_at=NOON + timedelta(microseconds=1)), True),
        (a_sighting(), a_sighting("Stopping", modified_at=NOON - timedelta(microseconds=1)), False),
        (a_sighting(), a_sighting("Stopping"), False),
        (a_sighting("Stopped"), a_sighting(modified_at=NOON + timedelta(hours=1)), False),
        (a_sighting("Stopped"), a_sighting("Stopped", message="more", modified_at=NOON + timedelta(hours=1)), True),
        (a_sighting(), a_sighting("Completed", modified_at=NOON - timedelta(hours=1)), True),
        (a_sighting("Stopping"), a_sighting("Stopped"), True),
        (a_sighting("Stopped"), a_sighting("Stopped"), False),
    ],
    ids=[
        "newer",
        "older",
        "same time",
        "undoes the end",
        "more of the end",
        "end that looks older",
        "end at the same time",
        "same end again",
    ],
)
def test_only_news_is_kept(jobs: JobStore, lease: Lease, known: Observation, late: Observation, kept: bool) -> None:
    attempt = launch(jobs, submitted(jobs), lease).attempt
    jobs.record_observation(attempt.name, known, by="training_events")
    assert jobs.record_observation(attempt.name, late, by="training_events") is kept
    assert known_attempt(jobs, attempt.name).observation == (late if kept else known)
