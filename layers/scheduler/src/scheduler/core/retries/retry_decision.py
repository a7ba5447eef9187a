"""What becomes of a job after a failed attempt: another attempt later, or the end."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import evolve

from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Outcome
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.transitions import waiting_state
from scheduler.core.retries.failure_classes import diagnose
from scheduler.core.retries.retry_policy import RetryPolicy, Treatment


def decide_retry(
    job: Job, recovery: RetryPolicy, now: datetime, *, log: Sequence[str] = (), retried_by_sagemaker: bool = False
) -> Job:
    """The job after its end, with its last attempt judged; waiting again if another attempt may help.

    `log`: the last lines of that attempt, where the reason alone is unclear. `retried_by_sagemaker`: its request has a
    RetryStrategy, so an internal error was tried again already (aws-facts 2.43).
    """
    if job.state is not JobState.FAILED or not job.history or job.history[-1].outcome is not Outcome.FAILED:
        return job
    past = job.history[-1]
    diagnosis = diagnose(past.failure_reason, log, recovery.patterns)
    treatment = recovery.treatment_of(diagnosis.failure)
    past = evolve(past, failure_class=diagnosis.failure)
    objection = _objection(job, past, treatment, retried_by_sagemaker=retried_by_sagemaker)
    judged = _given_up(job, past, objection) if objection else _tried_again(job, past, treatment, now)
    judged = _judged_by_log(judged) if diagnosis.by_log else judged
    return judged.with_action(ActionKind.GIVEN_UP if objection else ActionKind.RETRIED, now, judged.history[-1].action)


def _objection(job: Job, past: EndedAttempt, treatment: Treatment, *, retried_by_sagemaker: bool) -> str:
    """Why there is no further attempt; empty if there is one."""
    if past.failure_class is FailureClass.INTERNAL and retried_by_sagemaker:
        return "SageMaker tried again itself, as RetryStrategy says"
    if treatment.retries == 0:
        return f"failures of class {past.failure_class} are not tried again"
    if _failures_before(job, past) >= treatment.retries:
        return f"it was tried again {treatment.retries} times after failures of class {past.failure_class}"
    if _trained(past) < treatment.after_training:
        return f"it trained for less than {treatment.after_training} seconds"
    return ""


def _given_up(job: Job, past: EndedAttempt, why: str) -> Job:
    return evolve(job, history=(*job.history[:-1], evolve(past, action=f"given up: {why}")))


def _tried_again(job: Job, past: EndedAttempt, treatment: Treatment, now: datetime) -> Job:
    delay = treatment.delay_of(_failures_before(job, past) + 1)
    past = evolve(past, action=f"tried again after {delay} seconds")
    message = f"{past.name} failed ({past.failure_class}): {past.failure_reason}"
    return evolve(
        job,
        state=waiting_state(job),
        reason=Reason(ReasonCode.RETRYING, message),
        not_before=now + timedelta(seconds=delay),
        history=(*job.history[:-1], past),
    )


def _judged_by_log(job: Job) -> Job:
    """Its reason alone would not explain the class."""
    past = evolve(job.history[-1], action=f"judged by its log: {job.history[-1].action}")
    return evolve(job, history=(*job.history[:-1], past))


def _failures_before(job: Job, past: EndedAttempt) -> int:
    return sum(earlier.failure_class is past.failure_class for earlier in job.history[:-1])


def _trained(past: EndedAttempt) -> float:
    return (past.ended_at - past.training_started_at).total_seconds() if past.training_started_at else 0
