"""Decides after a failed attempt whether the job is retried later or given up."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Outcome
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.transitions import waiting_state
from scheduler.core.retries.failure_classes import diagnose
from scheduler.core.retries.retry_policy import RetryPolicy, Treatment


def decide_retry(
    job: Job, policy: RetryPolicy, now: datetime, *, log: Sequence[str] = (), retried_by_sagemaker: bool = False
) -> Job:
    """Returns the ended job with the class of its failure: waiting again if a retry may help, otherwise given up.

    `log` has the last lines of the attempt if its reason alone is unclear. With `retried_by_sagemaker` the request has
    a RetryStrategy, so SageMaker has already retried an internal error (aws-facts 2.43).
    """
    if (
        job.status.state is not JobState.FAILED
        or not job.status.history
        or job.status.history[-1].outcome is not Outcome.FAILED
    ):
        return job
    ended = job.status.history[-1]
    diagnosis = diagnose(ended.failure_reason, log, policy.patterns)
    treatment = policy.treatment_of(diagnosis.failure)
    ended = replace(ended, failure_class=diagnosis.failure)
    obstacle = _obstacle(job, ended, treatment, retried_by_sagemaker=retried_by_sagemaker)
    decided = _give_up(job, ended, obstacle) if obstacle else _retry(job, ended, treatment, now)
    decided = _name_log(decided) if diagnosis.by_log else decided
    kind = ActionKind.GIVEN_UP if obstacle else ActionKind.RETRIED
    return decided.with_action(kind, now, decided.status.history[-1].action)


def _obstacle(job: Job, ended: EndedAttempt, treatment: Treatment, *, retried_by_sagemaker: bool) -> str:
    """Returns why the job is not retried; empty if it is."""
    if ended.failure_class is FailureClass.INTERNAL and retried_by_sagemaker:
        return "SageMaker already retried it, as its RetryStrategy says"
    if treatment.retries == 0:
        return f"failures of class {ended.failure_class} are not retried"
    if _failures_before(job, ended) >= treatment.retries:
        return f"it was retried {treatment.retries} times after failures of class {ended.failure_class}"
    if _trained(ended) < treatment.after_training:
        return f"it trained for less than {treatment.after_training} seconds"
    return ""


def _give_up(job: Job, ended: EndedAttempt, why: str) -> Job:
    return job.with_last_attempt(replace(ended, action=f"given up: {why}"))


def _retry(job: Job, ended: EndedAttempt, treatment: Treatment, now: datetime) -> Job:
    delay = treatment.delay_of(_failures_before(job, ended) + 1)
    job = job.with_last_attempt(replace(ended, action=f"retried after {delay} seconds"))
    reason = Reason(ReasonCode.RETRYING, f"{ended.name} failed ({ended.failure_class}): {ended.failure_reason}")
    not_before = now + timedelta(seconds=delay)
    return replace(job, status=replace(job.status, state=waiting_state(job), reason=reason, not_before=not_before))


def _name_log(job: Job) -> Job:
    """Says in the action that the log showed the class, since the reason alone does not explain it."""
    ended = job.status.history[-1]
    return job.with_last_attempt(replace(ended, action=f"classified by its log: {ended.action}"))


def _failures_before(job: Job, ended: EndedAttempt) -> int:
    return sum(earlier.failure_class is ended.failure_class for earlier in job.status.history[:-1])


def _trained(ended: EndedAttempt) -> float:
    return (ended.ended_at - ended.training_started_at).total_seconds() if ended.training_started_at else 0
