"""Users' actions on a job, in each state."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from scheduler.core.jobs import user_actions
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import FINISHED, LIVE, QUEUED, JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.requests.job_update import JobUpdate, updated
from scheduler.errors.refusals import BadRequest
from scheduler.errors.wrong_state import WrongJobState
from support.builders.jobs import NOON, a_job

LATER = NOON + timedelta(hours=1)
DAYS = timedelta(days=5)
Action = Callable[[Job], Job]

CANCEL: Action = lambda job: user_actions.cancel(job, "ada", LATER)  # noqa: E731 - a table of actions
HOLD: Action = lambda job: user_actions.hold(job, "ada", LATER)  # noqa: E731
RELEASE: Action = lambda job: user_actions.release(job, "bob", LATER)  # noqa: E731
REQUEUE: Action = lambda job: user_actions.requeue(job, "ada", LATER)  # noqa: E731
UPDATE: Action = lambda job: updated(job, JobUpdate({"priority": 7}), "bob", LATER)  # noqa: E731
TOP: Action = lambda job: user_actions.move_to_top(job, "bob", LATER, is_first=False)  # noqa: E731

REFUSED = "refused"
OUTCOMES: dict[str, tuple[Action, dict[JobState, JobState]]] = {
    "cancel": (
        CANCEL,
        dict.fromkeys(QUEUED | {JobState.HELD, JobState.PARKED}, JobState.STOPPED)
        | dict.fromkeys(LIVE, JobState.STOPPING),
    ),
    "hold": (HOLD, dict.fromkeys(QUEUED | {JobState.HELD}, JobState.HELD)),
    "release": (RELEASE, {JobState.HELD: JobState.PENDING} | {state: state for state in QUEUED}),
    "requeue": (
        REQUEUE,
        dict.fromkeys(LIVE, JobState.STOPPING)
        | dict.fromkeys((JobState.PARKED, JobState.FAILED, JobState.STOPPED), JobState.PENDING)
        | {state: state for state in QUEUED},
    ),
    "priority": (UPDATE, {state: state for state in JobState if state not in FINISHED}),
    "top": (TOP, {state: state for state in QUEUED}),
}
CASES = [(name, state) for name in OUTCOMES for state in JobState]


@pytest.mark.parametrize(("name", "state"), CASES)
def test_each_action_leads_to_its_state_or_is_refused_with_its_own_code(name: str, state: JobState) -> None:
    wish, leads_to = OUTCOMES[name]
    job = a_job(state=state)
    if state in leads_to:
        assert wish(job).status.state is leads_to[state]
    else:
        with pytest.raises(WrongJobState) as refusal:
            wish(job)
        assert refusal.value.code in {"already_finished", "not_held", "not_queued", "held"}
        assert state in refusal.value.message


def test_a_released_job_that_was_preempted_waits_as_preempted() -> None:
    assert RELEASE(HOLD(a_job(state=JobState.PREEMPTED, preemptions=1))).status.state is JobState.PREEMPTED


def test_the_wait_of_a_job_begins_anew_if_it_is_requeued_after_its_end() -> None:
    past = EndedAttempt("resnet-sq-1", 1, Outcome.FAILED, NOON - DAYS, NOON - DAYS)
    failed = a_job(state=JobState.FAILED, submitted_at=NOON - DAYS, history=(past,))
    requeued = REQUEUE(failed)
    assert (requeued.waits_since, requeued.eligible_since) == (LATER, LATER)
    assert requeued.submitted_at == failed.submitted_at


def test_a_parked_job_that_is_requeued_keeps_its_wait() -> None:
    requeued = REQUEUE(a_job(state=JobState.PARKED))
    assert (requeued.waits_since, requeued.eligible_since) == (NOON, NOON)


def test_a_held_job_keeps_its_age() -> None:
    assert RELEASE(HOLD(a_job())).submitted_at == NOON


@pytest.mark.parametrize("cause", [cause for cause in StopCause if cause is not StopCause.CANCELLATION])
def test_a_cancellation_replaces_any_other_stop(cause: StopCause) -> None:
    cancelled = CANCEL(a_job(state=JobState.STOPPING, stop=Stop(cause, NOON, "bob")))
    assert cancelled.status.stop == Stop(StopCause.CANCELLATION, LATER, "ada")


def test_no_other_action_replaces_a_cancellation() -> None:
    with pytest.raises(WrongJobState, match="is being cancelled"):
        REQUEUE(CANCEL(a_job(state=JobState.RUNNING)))


@pytest.mark.parametrize("cause", [StopCause.PREEMPTION, StopCause.SPOT, StopCause.REQUEUE])
def test_a_job_that_will_wait_again_after_its_stop_needs_no_requeue(cause: StopCause) -> None:
    stopping = a_job(state=JobState.STOPPING, stop=Stop(cause, NOON, "urgent"))
    assert REQUEUE(stopping) is stopping


def test_a_job_that_is_stopped_for_idle_gpus_can_be_requeued() -> None:
    idle = a_job(state=JobState.STOPPING, stop=Stop(StopCause.IDLE, NOON, ""))
    assert REQUEUE(idle).status.stop == Stop(StopCause.REQUEUE, LATER, "ada")


def test_a_repeated_requeue_stops_no_later_attempt() -> None:
    second = a_job(state=JobState.RUNNING, attempts=2)
    assert user_actions.requeue(second, "ada", LATER, after=1) is second
    assert user_actions.requeue(second, "ada", LATER, after=2).status.state is JobState.STOPPING


@pytest.mark.parametrize("number", [-1, 3])
def test_a_requeue_after_an_unknown_attempt_is_refused(number: int) -> None:
    with pytest.raises(BadRequest, match=f"has no attempt {number}"):
        user_actions.requeue(a_job(state=JobState.RUNNING, attempts=2), "ada", LATER, after=number)


def test_releasing_a_queued_job_or_moving_the_first_job_to_the_top_changes_nothing() -> None:
    waiting, on_top = a_job(), a_job(on_top_since=NOON)
    assert RELEASE(waiting) is waiting
    assert user_actions.move_to_top(on_top, "bob", LATER, is_first=True) is on_top
    assert user_actions.move_to_top(on_top, "bob", LATER, is_first=False).status.on_top_since == LATER


def test_a_cancelled_job_can_be_requeued_after_it_stopped_and_cancelled_again() -> None:
    stopped = a_job(state=JobState.STOPPED, reason=Reason(ReasonCode.CANCELLED))
    assert CANCEL(stopped) is stopped
    assert CANCEL(REQUEUE(stopped)).status.reason.code is ReasonCode.CANCELLED


def test_a_changed_priority_ends_the_place_at_the_top() -> None:
    assert UPDATE(TOP(a_job())).status.on_top_since is None
    assert UPDATE(TOP(a_job(priority=7))).status.on_top_since == LATER
