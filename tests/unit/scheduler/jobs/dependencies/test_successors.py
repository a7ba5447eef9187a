"""The rule about the jobs for which a job waits, and how the job changes when they do."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.calendar.times.timers import after_timer, reason_of_deferral, reason_to_wait
from scheduler.core.jobs import user_actions
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.dependencies.successors import after_check, at_submission
from scheduler.core.jobs.dependencies.verdict import Outlook, Verdict, verdict_on
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import FINISHED, ActionKind, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.start_conditions import IfNeverSatisfied, JobDependencies, JobTimes
from support.builders.jobs import NOON, a_job, an_attempt, changed_job

LATER = NOON + timedelta(hours=1)
ADA = "arn:aws:iam::123456789012:role/Ada"
NOT_OK = FINISHED - {JobState.COMPLETED}


def predecessors(**states: JobState) -> dict[str, Job]:
    return {name: a_job(name, state=state) for name, state in states.items()}


def a_completed_job(name: str, model: str) -> Job:
    job = a_job(name, state=JobState.COMPLETED)
    ended = replace(an_attempt(job).ended(Outcome.COMPLETED, NOON, 0, spot=False), model_artifacts=model)
    return changed_job(job, history=(ended,))


def waiting(awaits: str = "prep", **options: object) -> Job:
    dependencies = JobDependencies(**options)  # type: ignore[arg-type]
    return a_job("train", dependencies=dependencies, awaits=awaits)


@pytest.mark.parametrize(
    ("option", "satisfied_by"), [("after_ok", {JobState.COMPLETED}), ("after_any", FINISHED), ("after_not_ok", NOT_OK)]
)
@pytest.mark.parametrize("state", JobState)
def test_a_predecessor_satisfies_its_option_only_by_its_end(
    option: str, satisfied_by: set[JobState], state: JobState
) -> None:
    expected = Outlook.NEVER if state in FINISHED else Outlook.WAITS
    expected = Outlook.SATISFIED if state in satisfied_by else expected
    dependencies = JobDependencies(**{option: ("prep",)})  # type: ignore[arg-type]
    verdict = verdict_on(dependencies, predecessors(prep=state))
    assert verdict.outlook is expected
    assert expected is Outlook.SATISFIED or "after prep has" in verdict.message


def test_a_missing_predecessor_never_satisfies_and_one_that_never_does_comes_before_those_to_wait_for() -> None:
    dependencies = JobDependencies(after_any=("prep", "gone"))
    verdict = verdict_on(dependencies, predecessors(prep=JobState.RUNNING))
    assert (verdict.outlook, verdict.predecessor) == (Outlook.NEVER, "gone")
    assert verdict_on(JobDependencies(), {}).outlook is Outlook.SATISFIED


def test_a_job_is_released_when_its_last_predecessor_ends_and_its_waiting_time_counts_from_then() -> None:
    job = waiting(after_ok=("prep", "fetch"))
    first = after_check(job, predecessors(prep=JobState.COMPLETED, fetch=JobState.RUNNING), NOON)
    assert (first.status.awaits, first.status.reason.waits_for, first.is_deferred) == ("fetch", "fetch", True)
    released = after_check(first, predecessors(prep=JobState.COMPLETED, fetch=JobState.COMPLETED), LATER)
    assert (released.status.awaits, released.is_deferred, released.waits_since) == ("", False, LATER)
    assert released.status.reason.code is ReasonCode.SUBMITTED
    assert after_check(released, predecessors(prep=JobState.FAILED), LATER) is released


def test_a_released_job_knows_the_models_that_it_uses_and_waits_for_no_job_without_one() -> None:
    job = waiting(after_ok=("prep", "fetch"), models=("prep",))
    ended = {"fetch": a_job("fetch", state=JobState.COMPLETED), "prep": a_completed_job("prep", model="s3://model")}
    assert after_check(job, ended, NOON).status.models == (("prep", "s3://model"),)
    assert at_submission(job, Verdict(Outlook.SATISFIED), ended).status.models == (("prep", "s3://model"),)
    given_up = after_check(job, {**ended, "prep": a_completed_job("prep", model="")}, NOON)
    assert given_up.status.reason.message == "its request uses the model of prep, but prep has saved none"
    again = user_actions.requeue(given_up, ADA, LATER)
    assert (again.is_deferred, after_check(again, ended, LATER).status.models) == (True, (("prep", "s3://model"),))


def test_nothing_changes_while_the_same_predecessor_runs_or_the_job_is_on_hold() -> None:
    job = waiting(after_ok=("prep",))
    assert after_check(job, predecessors(prep=JobState.RUNNING), LATER) is job
    held = user_actions.hold(job, ADA, NOON)
    assert after_check(held, predecessors(prep=JobState.COMPLETED), LATER) is held
    again = user_actions.release(held, ADA, NOON)
    assert (again.is_deferred, reason_of_deferral(again)) == (True, reason_to_wait(job, NOON))


def test_a_job_whose_dependency_is_never_satisfied_is_parked_once_and_follows_a_requeue_of_its_predecessor() -> None:
    parked = after_check(waiting(after_ok=("prep",)), failed := predecessors(prep=JobState.FAILED), NOON)
    assert (parked.status.state, parked.status.reason.code) == (JobState.PARKED, ReasonCode.DEPENDENCY_NEVER_SATISFIED)
    assert parked.status.reason.message == "it starts only after prep has completed, but it is failed"
    assert after_check(parked, failed, LATER) is parked
    again = after_check(parked, predecessors(prep=JobState.RUNNING), LATER)
    assert (again.status.state, again.is_deferred) == (JobState.PENDING, True)
    released = after_check(parked, predecessors(prep=JobState.COMPLETED), LATER)
    assert (released.status.state, released.is_deferred) == (JobState.PENDING, False)


def test_a_job_may_be_cancelled_instead_of_parked() -> None:
    job = waiting(after_not_ok=("prep",), if_never_satisfied=IfNeverSatisfied.CANCEL)
    ended = after_check(job, predecessors(prep=JobState.COMPLETED), NOON)
    assert (ended.status.state, ended.status.reason.code) == (JobState.STOPPED, ReasonCode.DEPENDENCY_NEVER_SATISFIED)
    assert [action.kind for action in ended.status.actions] == [ActionKind.CANCELLED]


@pytest.mark.parametrize("choice", IfNeverSatisfied)
def test_a_requeue_after_that_runs_the_job_regardless(choice: IfNeverSatisfied) -> None:
    ended = after_check(
        waiting(after_ok=("prep",), if_never_satisfied=choice), predecessors(prep=JobState.STOPPED), NOON
    )
    assert not user_actions.requeue(ended, ADA, LATER).is_deferred


def test_a_requeue_of_a_job_that_was_cancelled_while_it_waited_keeps_its_dependencies() -> None:
    cancelled = user_actions.cancel(waiting(after_ok=("prep",)), ADA, NOON)
    assert user_actions.requeue(cancelled, ADA, LATER).is_deferred


def test_a_job_that_is_parked_for_another_reason_is_left_alone() -> None:
    parked = changed_job(
        waiting(after_ok=("prep",)), state=JobState.PARKED, reason=Reason(ReasonCode.RULE_VIOLATED, "")
    )
    assert after_check(parked, predecessors(prep=JobState.COMPLETED), NOON) is parked


def test_a_time_and_a_predecessor_hold_the_job_back_independently() -> None:
    job = changed_job(waiting(after_ok=("prep",)), times=JobTimes(not_before=LATER), deferred=True)
    by_time = after_timer(job, LATER)
    assert (by_time.is_deferred, by_time.status.reason.code) == (True, ReasonCode.WAITS_FOR_JOB)
    by_job = after_check(job, predecessors(prep=JobState.COMPLETED), NOON)
    reason = reason_of_deferral(by_job)
    assert by_job.is_deferred
    assert reason is not None
    assert reason.code is ReasonCode.WAITS_FOR_TIME
    done = after_timer(by_job, LATER)
    assert not done.is_deferred
    assert done.status == replace(
        after_check(by_time, predecessors(prep=JobState.COMPLETED), NOON).status, updated_at=LATER
    )


def test_a_submission_waits_with_its_reason_unless_it_is_on_hold() -> None:
    verdict = Verdict(Outlook.WAITS, "prep")
    job = at_submission(waiting("", after_any=("prep",)), verdict, {})
    assert (job.status.reason.code, job.status.reason.waits_for) == (ReasonCode.WAITS_FOR_JOB, "prep")
    held = changed_job(waiting("", after_any=("prep",)), state=JobState.HELD, reason=Reason(ReasonCode.HELD, "held"))
    assert at_submission(held, verdict, {}).status.reason == held.status.reason
    assert at_submission(held, verdict, {}).status.awaits == "prep"
