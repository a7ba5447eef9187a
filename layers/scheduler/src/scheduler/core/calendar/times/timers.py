"""Decides when and how a job's time options change the job. A sweep reads the jobs with due timers and changes them."""

from dataclasses import replace
from datetime import UTC, datetime

from scheduler.core.jobs.attempt import NONE_EARLIER, Outcome
from scheduler.core.jobs.dependencies.verdict import waits_for_job
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.start_conditions import NO_TIMES, DeadlineFor


def next_timer(job: Job) -> datetime | None:
    """Returns the time of the job's next change by `after_timer`; None if there is none."""
    if job.options.times == NO_TIMES or job.is_finished:
        return None
    times = job.options.times
    due = (
        times.not_before if job.status.deferred else None,
        times.expires if _is_unstarted(job) else None,
        times.deadline if awaits_deadline(job) else None,
    )
    return min((time for time in due if time is not None), default=None)


def after_timer(job: Job, now: datetime) -> Job:
    """Returns the job with all changes that are due; the same object if none is."""
    if has_expired(job, now):
        return _expire(job, now)
    times = job.options.times
    if job.status.deferred and times.not_before is not None and times.not_before <= now:
        job = _make_eligible(job, now)
    if awaits_deadline(job) and times.deadline is not None and times.deadline <= now:
        job = warn_of_deadline(job, f"it has missed its deadline to {times.deadline_for}", now)
    return job


def reason_to_wait(job: Job, now: datetime) -> Reason | None:
    """Returns why the job's times or dependencies keep it from starting now, or None if they allow it."""
    times = job.options.times
    if has_expired(job, now):
        return Reason(ReasonCode.EXPIRED, "it has expired; the next sweep ends it")
    if times.not_before is not None and times.not_before > now:
        return waits_for_time(times.not_before)
    return waits_for_job(job)


def reason_of_deferral(job: Job) -> Reason | None:
    """Returns why a plan does not consider the job; None if it is a candidate."""
    not_before = job.options.times.not_before
    if job.is_queued and job.status.deferred and not_before is not None:
        return waits_for_time(not_before)
    return waits_for_job(job)


def waits_for_time(not_before: datetime) -> Reason:
    return Reason(ReasonCode.WAITS_FOR_TIME, f"it starts at {shown(not_before)} at the earliest")


def has_expired(job: Job, now: datetime) -> bool:
    expires = job.options.times.expires
    return expires is not None and expires <= now and _is_unstarted(job)


def awaits_deadline(job: Job) -> bool:
    """Returns whether the job has a deadline that it has not met, and for which no warning was sent."""
    times = job.options.times
    if times.deadline is None or job.status.deadline_warned_at is not None or job.is_finished:
        return False
    return times.deadline_for is DeadlineFor.END or _is_unstarted(job)


def warn_of_deadline(job: Job, message: str, now: datetime) -> Job:
    job = job.with_action(ActionKind.WARNED_DEADLINE, now, message)
    return replace(job, status=replace(job.status, deadline_warned_at=now))


def shown(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _expire(job: Job, now: datetime) -> Job:
    expires = job.options.times.expires
    if expires is None:
        raise AssertionError(f"{job.name} does not expire")
    reason = Reason(ReasonCode.EXPIRED, f"it did not start by {shown(expires)}")
    return job.with_action(ActionKind.EXPIRED, now, reason.message).moved_to(JobState.STOPPED, reason, now)


def _make_eligible(job: Job, now: datetime) -> Job:
    """Returns the job ready to start. A held or parked job stays held or parked."""
    reason = waits_for_job(job) or Reason(ReasonCode.SUBMITTED) if job.is_queued else job.status.reason
    return replace(job, status=replace(job.status, deferred=False, reason=reason, updated_at=now))


def _is_unstarted(job: Job) -> bool:
    """Returns whether no attempt of the job has started. Attempts that SageMaker did not create do not count."""
    refused = all(ended.outcome is Outcome.NEVER_STARTED for ended in job.status.history)
    return not job.is_live and refused and job.status.earlier == NONE_EARLIER
