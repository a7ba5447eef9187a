"""The changes of a job that its times make, and when they are due."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.calendar.times.timers import after_timer, awaits_deadline, next_timer, reason_to_wait
from scheduler.core.jobs import transitions, user_actions
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.start_conditions import DeadlineFor, JobTimes
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt, changed_job

SOON, LATER, LAST = (NOON + timedelta(hours=hours) for hours in (1, 2, 3))
TIMES = JobTimes(not_before=SOON, deadline=LATER, expires=LAST)


def timed(times: JobTimes = TIMES, **changes: Any) -> Job:
    return changed_job(a_job(), times=times, deferred=times.not_before is not None, **changes)


def launched(times: JobTimes) -> Job:
    return transitions.launch(timed(times), Reason(ReasonCode.FITS), NOON)


def test_the_timers_of_a_waiting_job_follow_each_other() -> None:
    job, due = timed(), []
    while (timer := next_timer(job)) is not None:
        due.append(timer)
        job = after_timer(job, timer)
    assert due == [SOON, LATER, LAST]
    assert (job.status.state, job.status.reason.code) == (JobState.STOPPED, ReasonCode.EXPIRED)
    assert [action.kind for action in job.status.actions] == [ActionKind.WARNED_DEADLINE, ActionKind.EXPIRED]


def test_nothing_changes_before_a_timer_is_due() -> None:
    job = timed()
    assert after_timer(job, SOON - timedelta(seconds=1)) is job
    assert next_timer(a_job()) is None


@pytest.mark.parametrize("state", [JobState.HELD, JobState.PARKED])
def test_a_job_out_of_the_queue_stays_there_when_its_time_comes_and_expires(state: JobState) -> None:
    held = Reason(ReasonCode.HELD, "held by ada")
    job = after_timer(timed(state=state, reason=held), SOON)
    assert (job.status.state, job.status.reason, job.status.deferred) == (state, held, False)
    assert after_timer(job, LAST).status.state is JobState.STOPPED


def test_a_job_that_has_started_does_not_expire() -> None:
    running = transitions.confirm_running(launched(JobTimes(expires=SOON)), NOON)
    preempted = transitions.end_attempt(
        transitions.evict(running, Reason(ReasonCode.OVER_BUDGET), NOON),
        an_attempt(running),
        a_sighting("Stopped", ended_at=NOON),
        NOON,
    )
    for job in (running, preempted):
        assert next_timer(job) is None
        assert after_timer(job, LAST) is job
        assert reason_to_wait(job, LAST) is None


def test_a_job_expires_while_sagemaker_has_created_no_attempt_of_it() -> None:
    job = launched(JobTimes(expires=SOON))
    assert next_timer(job) is None
    for waiting in (
        transitions.retry_launch_later(job, Reason(ReasonCode.CAPACITY), NOON),
        transitions.resolve_name_clash(job, an_attempt(job), NOON),
        transitions.end_unstarted(job, an_attempt(job), JobState.PARKED, Reason(ReasonCode.CAPACITY), NOON),
    ):
        assert next_timer(waiting) == SOON
        assert after_timer(waiting, SOON).status.reason.code is ReasonCode.EXPIRED


def test_a_requeued_job_no_longer_expires() -> None:
    expired = after_timer(timed(JobTimes(expires=SOON)), SOON)
    again = user_actions.requeue(expired, "ada", LATER)
    assert (again.status.state, next_timer(again)) == (JobState.PENDING, None)


def test_a_start_meets_a_deadline_to_start_only() -> None:
    for what, is_met in ((DeadlineFor.START, True), (DeadlineFor.END, False)):
        job = timed(JobTimes(deadline=SOON, deadline_for=what), state=JobState.RUNNING, attempts=1)
        assert awaits_deadline(job) is not is_met


def test_the_wait_counts_from_the_earliest_start() -> None:
    assert timed().waits_since == SOON
    early = replace(TIMES, not_before=NOON - timedelta(days=1))
    assert timed(early).waits_since == a_job().submitted_at
