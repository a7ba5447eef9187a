"""JobStore: a live attempt keeps the cycle's marks and SageMaker's observations."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.stop_notice import Save, StopNotice
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseLost, OverBudget, StaleJob
from support.builders.attempts import finish, known_attempt, launch, submitted
from support.builders.jobs import NOON, a_sighting, changed_job
from support.dynamodb.stores import Stores

ONE, OTHER = Demand.of({"ml.g5.xlarge": 2}), Demand.of({"ml.p5.48xlarge": 1})
BOTH = ONE + OTHER
BUDGET_OF_BOTH = Budget(BOTH, tuple(BOTH))


def test_an_update_writes_the_job_and_its_attempt(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    attempt = replace(live.attempt, created=True, stop_sent=True)
    job = stores.reservations.update_attempt(changed_job(live.job, state=JobState.RUNNING), attempt, lease)
    assert stores.live_attempts.live() == (LiveJob(job, attempt),)
    assert (job.status.state, job.version) == (JobState.RUNNING, 2)


def test_an_update_writes_the_notice_of_the_attempt(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    asked = replace(live.attempt, takes_notice=True, notice=StopNotice(NOON, NOON + timedelta(minutes=2)))
    job = stores.reservations.update_attempt(changed_job(live.job, state=JobState.STOPPING), asked, lease)
    assert stores.live_attempts.live() == (LiveJob(job, asked),)


def test_an_update_that_does_not_know_the_notice_keeps_it(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    asked = replace(live.attempt, takes_notice=True, notice=StopNotice(NOON, NOON + timedelta(minutes=2)))
    job = stores.reservations.update_attempt(live.job, asked, lease)
    stores.reservations.update_attempt(job, live.attempt, lease)
    assert known_attempt(stores, live.attempt.name) == asked


def test_the_newest_save_of_a_live_attempt_is_kept(stores: Stores, lease: Lease) -> None:
    name, later = launch(stores, submitted(stores), lease).attempt.name, NOON + timedelta(minutes=10)
    reports = [Save(1, NOON), Save(2, later), Save(1, NOON), Save(2, later, answers=NOON), Save(2, later)]
    kept = [stores.live_attempts.record_save(name, save, by="training_events") for save in reports]
    assert kept == [True, True, False, True, False]
    assert known_attempt(stores, name).saved == Save(2, later, answers=NOON)


def test_a_start_is_kept_until_the_first_save_and_replaces_none(stores: Stores, lease: Lease) -> None:
    name, later = launch(stores, submitted(stores), lease).attempt.name, NOON + timedelta(minutes=10)
    known = []
    for report in (Save(None, NOON), Save(1, later), Save(None, later + timedelta(minutes=1))):
        stores.live_attempts.record_save(name, report, by="training_events")
        known.append(known_attempt(stores, name).saved)
    assert known == [Save(None, NOON), Save(1, later), Save(1, later)]


def test_a_save_of_no_live_attempt_is_dropped(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    finish(stores, live, lease)
    assert not stores.live_attempts.record_save(live.attempt.name, Save(1, NOON), by="training_events")
    assert stores.live_attempts.live() == ()


def test_an_update_leaves_alone_a_save_that_was_reported_in_between(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    assert stores.live_attempts.record_save(live.attempt.name, Save(7, NOON), by="training_events")
    stores.reservations.update_attempt(live.job, replace(live.attempt, created=True), lease)
    assert known_attempt(stores, live.attempt.name).saved == Save(7, NOON)


def test_an_update_of_a_changed_job_is_refused(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    stores.jobs.save(changed_job(live.job, state=JobState.STOPPING), by="api")
    with pytest.raises(StaleJob):
        stores.reservations.update_attempt(live.job, replace(live.attempt, created=True), lease)
    assert stores.live_attempts.attempt(live.attempt.name) == live.attempt


def test_an_update_of_a_settled_attempt_is_refused(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    settled = finish(stores, live, lease)
    with pytest.raises(StaleJob):
        stores.reservations.update_attempt(settled, live.attempt, lease)
    assert stores.live_attempts.live() == ()


def test_what_sagemaker_did_not_select_is_free_once_that_is_written(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores, demand=BOTH), lease, BUDGET_OF_BOTH)
    job = stores.reservations.narrow(changed_job(live.job, selected=ONE), live.attempt, lease)
    assert stores.live_attempts.live() == (LiveJob(job, replace(live.attempt, demand=ONE)),)
    launch(stores, submitted(stores, "next", demand=OTHER), lease, BUDGET_OF_BOTH)


def test_a_cached_job_is_read_again_after_the_selection(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores, demand=BOTH), lease, BUDGET_OF_BOTH)
    job = stores.reservations.narrow(changed_job(live.job, selected=ONE), live.attempt, lease)
    assert [one.job for one in stores.live_attempts.live({"resnet": live.job})] == [job]


def test_what_was_selected_is_written_once(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores, demand=BOTH), lease, BUDGET_OF_BOTH)
    narrowed = stores.reservations.narrow(changed_job(live.job, selected=ONE), live.attempt, lease)
    with pytest.raises(StaleJob):
        stores.reservations.narrow(narrowed, live.attempt, lease)
    with pytest.raises(OverBudget):
        launch(stores, submitted(stores, "next", demand=ONE), lease, BUDGET_OF_BOTH)


def test_nothing_is_freed_under_a_lease_that_is_lost(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores, demand=BOTH), lease, BUDGET_OF_BOTH)
    with pytest.raises(LeaseLost):
        stores.reservations.narrow(
            changed_job(live.job, selected=ONE), live.attempt, replace(lease, fence=lease.fence - 1)
        )
    assert stores.live_attempts.live() == (live,)


def test_what_the_last_create_asked_for_is_kept_with_its_attempt(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    sent = replace(live.attempt, sent_at=NOON + timedelta(minutes=3), keep_alive=0, refused_keep_alive=600)
    stores.reservations.record_create(sent, None, lease)
    assert stores.live_attempts.live() == (LiveJob(live.job, sent),)
    stores.reservations.record_create(replace(sent, sent_at=NOON), sent.sent_at, lease)
    assert known_attempt(stores, live.attempt.name).last_sent_at == NOON


def test_a_create_is_not_recorded_over_what_another_cycle_wrote(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    sent = replace(live.attempt, sent_at=NOON + timedelta(minutes=3))
    stores.reservations.record_create(sent, None, lease)
    for sent_before in (None, NOON):
        with pytest.raises(StaleJob):
            stores.reservations.record_create(replace(sent, sent_at=NOON + timedelta(minutes=4)), sent_before, lease)
    assert stores.live_attempts.live() == (LiveJob(live.job, sent),)


def test_no_create_is_recorded_of_a_settled_attempt(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    finish(stores, live, lease)
    with pytest.raises(StaleJob):
        stores.reservations.record_create(replace(live.attempt, sent_at=NOON), None, lease)
    assert stores.live_attempts.live() == ()


def test_an_update_leaves_alone_what_an_event_said_in_between(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    ended = a_sighting("Completed")
    assert stores.live_attempts.record_observation(live.attempt.name, ended, by="training_events")
    stores.reservations.update_attempt(live.job, replace(live.attempt, created=True), lease)
    known = known_attempt(stores, live.attempt.name)
    assert (known.created, known.observation, known.needs_polling) == (True, ended, True)


def test_an_observation_of_a_live_attempt_is_kept(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    observation = a_sighting(message="Downloading", training_started_at=NOON)
    assert stores.live_attempts.record_observation(live.attempt.name, observation, by="training_events")
    assert stores.live_attempts.live() == (LiveJob(live.job, replace(live.attempt, observation=observation)),)


@pytest.mark.parametrize("status", ["Completed", "Failed", "Stopped"])
def test_an_observation_of_the_end_asks_for_a_poll(stores: Stores, lease: Lease, status: str) -> None:
    attempt = launch(stores, submitted(stores), lease).attempt
    assert stores.live_attempts.record_observation(attempt.name, a_sighting(status), by="training_events")
    assert known_attempt(stores, attempt.name).needs_polling


def test_an_observation_of_no_live_attempt_is_dropped(stores: Stores, lease: Lease) -> None:
    live = launch(stores, submitted(stores), lease)
    finish(stores, live, lease)
    assert not stores.live_attempts.record_observation(live.attempt.name, a_sighting("Completed"), by="training_events")
    assert not stores.live_attempts.record_observation(
        "somebody-elses-job", a_sighting("Completed"), by="training_events"
    )
    assert stores.live_attempts.live() == ()


@pytest.mark.parametrize(
    ("known", "late", "kept"),
    [
        (a_sighting(), a_sighting("Stopping", modified_at=NOON + timedelta(microseconds=1)), True),
        (a_sighting(), a_sighting("Stopping", modified_at=NOON - timedelta(microseconds=1)), False),
        (a_sighting(), a_sighting("Stopping"), False),
        (a_sighting("Stopped"), a_sighting(modified_at=NOON + timedelta(minutes=1)), False),
        (a_sighting("Stopped"), a_sighting(modified_at=NOON + timedelta(minutes=2)), True),
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
        "goes on long after the end of another job with the name",
        "more of the end",
        "end that looks older",
        "end at the same time",
        "same end again",
    ],
)
def test_only_news_is_kept(stores: Stores, lease: Lease, known: Observation, late: Observation, kept: bool) -> None:
    attempt = launch(stores, submitted(stores), lease).attempt
    stores.live_attempts.record_observation(attempt.name, known, by="training_events")
    assert stores.live_attempts.record_observation(attempt.name, late, by="training_events") is kept
    assert known_attempt(stores, attempt.name).observation == (late if kept else known)
