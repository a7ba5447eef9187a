"""Decides whether a job is retried or ends after a failed attempt, and whether a spot job continues on demand."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Observation, Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.transitions import waiting_state
from scheduler.core.retries.failure_classes import diagnose
from scheduler.core.retries.memory_shortage import can_change_type
from scheduler.core.retries.retry_policy import LeavingSpot, RetryPolicy, Treatment


def decide_retry(
    job: Job, policy: RetryPolicy, now: datetime, *, log: Sequence[str] = (), retried_by_sagemaker: bool = False
) -> Job:
    """Returns the job with its failure classified: waiting again if a retry may help, otherwise given up.

    `log` contains the last lines of the log if the FailureReason is unclear. `retried_by_sagemaker` is true if
    SageMaker has retried the attempt, as its RetryStrategy requested (aws-facts 2.43).
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
    changes_type = can_change_type(job, ended)
    if _counts(ended.failure_class) and job.options.retries is not None:
        obstacle = _limit_of_job(job, job.options.retries, policy)
    elif changes_type:
        obstacle = ""
    else:
        obstacle = _obstacle(job, ended, treatment, retried_by_sagemaker=retried_by_sagemaker)
    if obstacle := obstacle or _cap(job, policy):
        decided = _give_up(job, ended, obstacle)
    else:
        decided = _change_type(job, ended) if changes_type else _retry(job, ended, treatment, now)
    decided = _name_log(decided) if diagnosis.by_log else decided
    kind = ActionKind.GIVEN_UP if obstacle else ActionKind.RETRIED
    return decided.with_action(kind, now, decided.status.history[-1].action)


def _obstacle(job: Job, ended: EndedAttempt, treatment: Treatment, *, retried_by_sagemaker: bool) -> str:
    """Returns the reason why the job is not retried; empty if nothing prevents a retry."""
    if ended.failure_class is FailureClass.INTERNAL and retried_by_sagemaker:
        return "SageMaker already retried it according to its RetryStrategy"
    if treatment.retries == 0:
        return f"failures of class {ended.failure_class} are not retried"
    if job.failures_like(ended) >= treatment.retries:
        return f"it was retried {treatment.retries} times after failures of class {ended.failure_class}"
    if _trained(ended) < treatment.after_training:
        return f"it trained for less than {treatment.after_training} seconds"
    return ""


def _limit_of_job(job: Job, requested: int, policy: RetryPolicy) -> str:
    """Returns why a job with the option `retries` is not retried; empty if it may run again."""
    retries = min(requested, policy.requested_at_most)
    recent = sum(_counts(ended.failure_class) for ended in job.status.history[:-1])
    earlier = sum(count for failure, count in job.status.earlier.failures.items() if _counts(failure))
    return f"its option retries allows {retries}" if recent + earlier >= retries else ""


def _counts(failure: FailureClass | None) -> bool:
    """Returns whether a failure counts against the option `retries`.

    Waiting for instances is not a failure of the job.
    """
    return failure not in (None, FailureClass.CAPACITY, FailureClass.SPOT)


def _cap(job: Job, policy: RetryPolicy) -> str:
    is_reached = job.status.attempts >= policy.attempts_per_job
    return f"it has had {job.status.attempts} attempts, the limit for one job" if is_reached else ""


def _give_up(job: Job, ended: EndedAttempt, why: str) -> Job:
    return job.with_last_attempt(replace(ended, action=f"given up: {why}"))


def _retry(job: Job, ended: EndedAttempt, treatment: Treatment, now: datetime) -> Job:
    delay = treatment.delay_of(job.failures_like(ended) + 1)
    return _waiting_again(job, replace(ended, action=f"retried after {delay} seconds"), now + timedelta(seconds=delay))


def _change_type(job: Job, ended: EndedAttempt) -> Job:
    """Returns the job waiting for an alternative with another type. The retry has no delay."""
    action = f"retried on instances of another type: {job.demand_of(ended)} had too little memory"
    return _waiting_again(job, replace(ended, action=action), None)


def _waiting_again(job: Job, ended: EndedAttempt, not_before: datetime | None) -> Job:
    reason = Reason(ReasonCode.RETRYING, f"{ended.name} failed ({ended.failure_class}): {ended.failure_reason}")
    status = replace(
        job.status,
        state=waiting_state(job),
        reason=reason,
        not_before=not_before,
        tuning_progress=job.status.tuning_progress.after_failure,
    )
    return replace(job, status=status).with_last_attempt(ended)


def _name_log(job: Job) -> Job:
    """Notes in the action that the log showed the class, since the FailureReason alone does not explain it."""
    ended = job.status.history[-1]
    return job.with_last_attempt(replace(ended, action=f"cause found in the log: {ended.action}"))


def _trained(ended: EndedAttempt) -> float:
    return (ended.ended_at - ended.training_started_at).total_seconds() if ended.training_started_at else 0


def may_leave_spot(live: LiveJob, observation: Observation) -> bool:
    """Returns whether the settings may move the job off spot. A job that got and kept its instances stays on spot."""
    if live.job.status.state is not JobState.RUNNING or live.job.status.on_demand:
        return False
    was_interrupted = observation.interruptions or live.job.interruptions
    return bool(was_interrupted) or live.attempt.without_instances_since(observation) is not None


def reason_to_leave_spot(
    live: LiveJob, observation: Observation, settings: LeavingSpot, now: datetime
) -> Reason | None:
    """Returns the reason to stop the live attempt of a spot job, or None if the job stays on spot."""
    if not may_leave_spot(live, observation):
        return None
    interruptions = live.job.interruptions + observation.interruptions
    if interruptions >= settings.interruptions:
        return _reason_of_leaving(f"it lost its spot instances {interruptions} times")
    since = live.attempt.without_instances_since(observation)
    if since and now - since > timedelta(seconds=settings.wait):
        return _reason_of_leaving(f"it got no spot instances within {settings.wait} seconds")
    return None


def leave_spot_at_wait_limit(job: Job, now: datetime) -> Job:
    """Returns the job to the queue, so that it continues on demand. `stopped_at_wait_limit` selects such jobs."""
    ended = replace(job.status.history[-1], failure_class=FailureClass.SPOT, action="continues on demand")
    reason = _reason_of_leaving("it got no spot instances within MaxWaitTimeInSeconds")
    job = job.with_last_attempt(ended).with_action(ActionKind.LEFT_SPOT, now, reason.message)
    status = replace(job.status, state=waiting_state(job), reason=reason, on_demand=True)
    return replace(job, status=status)


def stopped_at_wait_limit(job: Job) -> bool:
    if job.status.on_demand or job.status.state is not JobState.STOPPED or not job.status.history:
        return False
    ended = job.status.history[-1]
    return ended.outcome is Outcome.TIME_LIMIT and ended.secondary_status == "MaxWaitTimeExceeded"


def _reason_of_leaving(message: str) -> Reason:
    return Reason(ReasonCode.LEAVES_SPOT, f"{message}: it continues on demand")
