"""The actions that the record of a job keeps."""

from collections.abc import Callable

import pytest

from scheduler.core.jobs import transitions, user_actions
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.job import MOST_ACTIONS, Job
from scheduler.core.jobs.job_state import QUEUE, Action, ActionKind, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.requests.job_update import JobUpdate, updated
from scheduler.core.retries.retry_decision import decide_retry, leave_spot_at_wait_limit
from scheduler.core.retries.retry_policy import RetryPolicy
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt

WHY = Reason(ReasonCode.OUTRANKED, "because")
QUOTA = Reason(ReasonCode.CAPACITY, "quota token=hunter2")
UNREADABLE = Reason(ReasonCode.UNREADABLE_REQUEST, "its request cannot be read")
RUNNING = a_job(state=JobState.RUNNING)
WAITED = EndedAttempt("resnet-sq-1", 1, Outcome.TIME_LIMIT, NOON, NOON, secondary_status="MaxWaitTimeExceeded")


@pytest.mark.parametrize(
    ("done", "job", "action"),
    [
        (lambda job: user_actions.cancel(job, "ada", NOON), a_job(), Action(NOON, ActionKind.CANCELLED, "ada")),
        (lambda job: user_actions.cancel(job, "ada", NOON), RUNNING, Action(NOON, ActionKind.CANCELLED, "ada")),
        (lambda job: user_actions.hold(job, "ada", NOON), a_job(), Action(NOON, ActionKind.HELD, "ada")),
        (
            lambda job: user_actions.release(job, "ada", NOON),
            a_job(state=JobState.HELD),
            Action(NOON, ActionKind.RELEASED, "ada"),
        ),
        (lambda job: user_actions.requeue(job, "ada", NOON), RUNNING, Action(NOON, ActionKind.REQUEUED, "ada")),
        (
            lambda job: user_actions.move_to_top(job, "ada", NOON, is_first=False),
            a_job(),
            Action(NOON, ActionKind.TOPPED, "ada"),
        ),
        (
            lambda job: updated(job, JobUpdate({"priority": 7}), "ada", NOON),
            a_job(),
            Action(NOON, ActionKind.UPDATED, "ada", "priority from 0 to 7"),
        ),
        (
            lambda job: user_actions.unpark(job, "ada", NOON),
            a_job(state=JobState.PARKED),
            Action(NOON, ActionKind.UNPARKED, "ada"),
        ),
        (
            lambda job: transitions.preempt_for(job, a_job("urgent"), WHY, NOON),
            RUNNING,
            Action(NOON, ActionKind.PREEMPTED, QUEUE, "because"),
        ),
        (
            lambda job: transitions.evict(job, WHY, NOON),
            RUNNING,
            Action(NOON, ActionKind.PREEMPTED, QUEUE, "because"),
        ),
        (
            lambda job: transitions.leave_spot(job, WHY, NOON),
            RUNNING,
            Action(NOON, ActionKind.LEFT_SPOT, QUEUE, "because"),
        ),
        (
            lambda job: transitions.park(job, WHY, NOON),
            a_job(),
            Action(NOON, ActionKind.PARKED, QUEUE, "because"),
        ),
        (
            lambda job: transitions.end_unstarted(job, an_attempt(job), JobState.PARKED, QUOTA, NOON),
            RUNNING,
            Action(NOON, ActionKind.PARKED, QUEUE, "the account has no SageMaker quota for it"),
        ),
        (
            lambda job: transitions.end_unstarted(job, an_attempt(job), JobState.PARKED, UNREADABLE, NOON),
            RUNNING,
            Action(NOON, ActionKind.PARKED, QUEUE, "its request cannot be read"),
        ),
        (
            lambda job: leave_spot_at_wait_limit(job, NOON),
            a_job(state=JobState.STOPPED, history=(WAITED,)),
            Action(
                NOON,
                ActionKind.LEFT_SPOT,
                QUEUE,
                "it got no spot instances within MaxWaitTimeInSeconds: it continues on demand",
            ),
        ),
    ],
)
def test_an_action_on_a_job_is_kept_with_its_actor(done: Callable[[Job], Job], job: Job, action: Action) -> None:
    assert done(job).status.actions == (action,)


@pytest.mark.parametrize(
    ("reason", "kind", "message"),
    [
        ("InternalServerError: token=hunter2", ActionKind.RETRIED, "retried after 60 seconds"),
        ("ClientError: token=hunter2", ActionKind.GIVEN_UP, "given up: failures of class user are not retried"),
    ],
)
def test_what_was_made_of_a_failure_is_kept_without_a_word_of_sagemakers(
    reason: str, kind: ActionKind, message: str
) -> None:
    observation = a_sighting("Failed", secondary_status="Failed", failure_reason=reason)
    ended = transitions.end_attempt(RUNNING, an_attempt(RUNNING), observation, NOON)
    assert decide_retry(ended, RetryPolicy(), NOON).status.actions == (Action(NOON, kind, QUEUE, message),)


def test_an_action_that_was_done_before_is_not_recorded_twice() -> None:
    job = user_actions.hold(a_job(), "ada", NOON)
    assert user_actions.hold(job, "bob", NOON).status.actions == job.status.actions


def test_a_record_keeps_only_the_newest_of_many() -> None:
    job = a_job()
    for priority in range(1, 2 * MOST_ACTIONS + 1):
        job = updated(job, JobUpdate({"priority": priority}), "ada", NOON)
    assert len(job.status.actions) == MOST_ACTIONS
    assert job.status.actions[-1].message == f"priority from {2 * MOST_ACTIONS - 1} to {2 * MOST_ACTIONS}"


def test_a_job_that_is_parked_for_a_hundred_rules_again_and_again_keeps_a_small_record() -> None:
    job = a_job()
    for _ in range(MOST_ACTIONS):
        job = transitions.park(job, Reason(ReasonCode.RULE_VIOLATED, "rule: no; " * 1000), NOON)
    assert sum(len(action.message) for action in job.status.actions) < 50_000
