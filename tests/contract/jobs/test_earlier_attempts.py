"""JobStore: a job's record keeps its last attempts, and the ones before move to their own items."""

from dataclasses import replace
from datetime import timedelta

from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job import MOST_ATTEMPTS, Job
from scheduler.core.reconciliation.lease import Lease
from support.builders.attempts import launch, submitted
from support.builders.jobs import NOON, a_sighting
from support.dynamodb.stores import Stores


def test_the_attempts_before_the_last_ones_leave_the_record_and_none_is_lost(stores: Stores, lease: Lease) -> None:
    job = submitted(stores)
    for _ in range(MOST_ATTEMPTS + 3):
        job = end_next_attempt(stores, job, lease)
    stored = stores.jobs.get(job.name)
    assert stored == job
    assert [ended.number for ended in stored.status.history] == [4, 5, 6, 7, 8]
    assert stored.status.earlier.count == 3
    whole = stores.jobs.with_all_attempts(stored)
    assert [ended.number for ended in whole.status.history] == [*range(1, MOST_ATTEMPTS + 4)]
    assert whole.status.earlier.count == 0
    assert {ended.failure_reason for ended in whole.status.history} == {"AlgorithmError: no"}


def test_what_decisions_need_of_earlier_attempts_stays_in_the_record(stores: Stores, lease: Lease) -> None:
    job = submitted(stores)
    for _ in range(MOST_ATTEMPTS + 3):
        job = end_next_attempt(stores, job, lease)
    stored, whole = stores.jobs.get(job.name), stores.jobs.with_all_attempts(stores.jobs.get(job.name))
    assert stored.trained_seconds == whole.trained_seconds == 60 * (MOST_ATTEMPTS + 3)
    assert stored.interruptions == whole.interruptions == 2 * (MOST_ATTEMPTS + 3)
    last = stored.status.history[-1]
    assert stored.failures_like(last) == whole.failures_like(last) == MOST_ATTEMPTS + 2


def test_an_attempt_that_had_moved_is_read_once_when_it_is_back_in_the_record(stores: Stores, lease: Lease) -> None:
    job = submitted(stores)
    for _ in range(MOST_ATTEMPTS + 2):
        job = end_next_attempt(stores, job, lease)
    first = stores.jobs.with_all_attempts(job).status.history[0]
    job = stores.jobs.save(job.with_attempt_again(replace(first, retained_seconds=30)), by="pools")
    assert [ended.number for ended in stores.jobs.with_all_attempts(job).status.history] == [*range(1, 8)]
    job = end_next_attempt(stores, job, lease)
    whole = stores.jobs.with_all_attempts(stores.jobs.get(job.name))
    assert [ended.number for ended in whole.status.history] == [*range(1, 9)]
    assert whole.status.history[0].retained_seconds == 30
    assert len(job.status.history) == MOST_ATTEMPTS


def end_next_attempt(stores: Stores, job: Job, lease: Lease) -> Job:
    """Launches the job and lets the attempt fail after a minute of training, so that the job waits again."""
    live = launch(stores, job, lease)
    started = NOON + timedelta(hours=live.attempt.number)
    failed = a_sighting(
        "Failed",
        failure_reason="AlgorithmError: no",
        training_started_at=started,
        ended_at=started + timedelta(minutes=1),
        interruptions=2,
    )
    ended = transitions.end_attempt(live.job, live.attempt, failed, started + timedelta(minutes=2))
    last = replace(ended.status.history[-1], failure_class=FailureClass.USER)
    assert last.outcome is Outcome.FAILED
    waiting = ended.with_last_attempt(last).moved_to(transitions.waiting_state(ended), ended.status.reason, started)
    return stores.reservations.settle(waiting, live.attempt, lease)
