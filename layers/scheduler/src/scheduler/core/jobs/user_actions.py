"""Defines the changes to jobs that users and operators request.

Each function returns the changed job, or the same object if nothing is left to do. It raises WrongJobState if the job's
state does not allow the change.
"""

from dataclasses import replace
from datetime import datetime

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, Approval, JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.transitions import waiting_state
from scheduler.errors.refusals import BadRequest, bad_field
from scheduler.errors.wrong_state import (
    AlreadyCancelled,
    AlreadyFinished,
    AttemptCapReached,
    NotHeld,
    NotQueued,
    StillHeld,
)

#: Causes of stops after which the job waits again.
_WAITS_AGAIN = frozenset(
    {StopCause.PREEMPTION, StopCause.SPOT, StopCause.REQUEUE, StopCause.HANG_RETRY, StopCause.GROWTH}
)
#: States in which a job neither waits nor holds budget, but can be requeued.
_REQUEUEABLE = frozenset({JobState.PARKED, JobState.FAILED, JobState.STOPPED})


def cancel(job: Job, caller: str, now: datetime, *, save_first: bool = False) -> Job:
    """Ends a waiting job, or stops a live job. With `save_first`, a live job gets time to save.

    Replaces any other stop.
    """
    if job.was_cancelled:
        return job if save_first else _without_time_to_save(job, now)
    _refuse_finished(job)
    reason = Reason(ReasonCode.CANCELLED, f"cancelled by {caller}")
    job = job.with_action(ActionKind.CANCELLED, now, by=caller)
    if not job.is_live:
        return job.moved_to(JobState.STOPPED, reason, now)
    return job.moved_to(JobState.STOPPING, reason, now, Stop(StopCause.CANCELLATION, now, caller, save_first))


def hold(job: Job, caller: str, now: datetime) -> Job:
    """Takes the job out of the queue until it is released."""
    if job.status.state is JobState.HELD:
        return job
    _refuse_unqueued(job)
    reason = Reason(ReasonCode.HELD, f"held by {caller}")
    return job.with_action(ActionKind.HELD, now, by=caller).moved_to(JobState.HELD, reason, now)


def release(job: Job, caller: str, now: datetime) -> Job:
    """Returns a held job to the queue with its original age."""
    if job.is_queued:
        return job
    if job.status.state is not JobState.HELD:
        _refuse_finished(job)
        raise NotHeld(f"{job.name} is {job.status.state}, not held", remedy="Only a held job can be released.")
    job = job.with_action(ActionKind.RELEASED, now, by=caller)
    return job.moved_to(waiting_state(job), Reason(ReasonCode.SUBMITTED), now)


def unpark(job: Job, caller: str, now: datetime) -> Job:
    """Returns a parked job to the queue, since the reason for parking it may be gone."""
    if job.status.state is not JobState.PARKED or job.needs_approval:
        return job
    job = job.with_action(ActionKind.UNPARKED, now, by=caller)
    return job.moved_to(waiting_state(job), Reason(ReasonCode.SUBMITTED), now)


def approve(job: Job, caller: str, now: datetime, max_runtime: int | None = None) -> Job:
    """Approves the job with its current instances and time limits.

    If the job waits for an approval, returns it to the queue. Raises BadRequest if a time limit is longer
    than `max_runtime`, the limit that the caller has seen.
    """
    _refuse_finished(job)
    choices = job.each_choice
    longest = max(choice.spec.max_runtime for choice in choices)
    if max_runtime is not None and longest > max_runtime:
        remedy = "Look at the job again before you approve it."
        raise bad_field("max_runtime", f"is {max_runtime}, but {job.name} may now run for {longest} s", remedy)
    return with_approval(job, Approval(caller, now, tuple(choice.spec.max_runtime for choice in choices)), now)


def with_approval(job: Job, approval: Approval, now: datetime) -> Job:
    """Returns the job with this approval, and in the queue if it waited for one."""
    message = " or ".join(f"{each.spec.demand} for {each.spec.max_runtime} s" for each in job.each_choice)
    warnings = tuple(warning for warning in job.status.warnings if not warning.approvable)
    status, needs = replace(job.status, approval=approval, warnings=warnings), job.needs_approval
    job = replace(job, status=status).with_action(ActionKind.APPROVED, now, message, approval.by)
    return job.moved_to(waiting_state(job), Reason(ReasonCode.SUBMITTED), now) if needs else job


def requeue(job: Job, caller: str, now: datetime, after: int | None = None) -> Job:
    """Requests another attempt of the job. If the job has a live attempt, stops that attempt first."""
    if after is not None and not 0 <= after <= job.latest_attempt:
        remedy = f"Its latest attempt is {job.latest_attempt}. Omit the number to requeue that attempt."
        raise BadRequest(f"{job.name} has no attempt {after}", field="attempt", remedy=remedy)
    waits_again = job.is_queued or (job.status.stop is not None and job.status.stop.cause in _WAITS_AGAIN)
    # `after` is the number of the attempt to replace: if a later attempt is known, nothing is left to do.
    if waits_again or (after is not None and after < job.latest_attempt):
        return job
    if job.status.state is JobState.HELD:
        raise StillHeld(f"{job.name} is held", remedy="Release it.")
    if job.status.state not in _REQUEUEABLE:
        _refuse_finished(job)
    if job.is_live and job.was_cancelled:
        raise AlreadyCancelled(f"{job.name} is being cancelled", remedy="Requeue it when it has stopped.")
    reason = Reason(ReasonCode.REQUEUED, f"requeued by {caller}")
    if job.is_finished:  # the time since its end was no wait
        job = replace(job, status=replace(job.status, released_at=now))
    job = _without_useless_trials(_without_broken_dependencies(_without_expiry(job)))
    job = job.with_action(ActionKind.REQUEUED, now, by=caller)
    if not job.is_live:
        return job.moved_to(waiting_state(job), reason, now)
    return job.moved_to(JobState.STOPPING, reason, now, Stop(StopCause.REQUEUE, now, caller))


def refuse_attempts_beyond(job: Job, most: int) -> None:
    """Raises AttemptCapReached if the job has already had `most` attempts, the limit for one job."""
    if job.status.attempts >= most:
        raise AttemptCapReached(job.name, job.status.attempts, most)


def move_to_top(job: Job, caller: str, now: datetime, *, is_first: bool) -> Job:
    """Moves the job ahead of all queued jobs with its priority. `is_first` is true if the job is already first."""
    _refuse_unqueued(job)
    if is_first and job.status.on_top_since is not None:
        return job
    job = job.with_action(ActionKind.TOPPED, now, by=caller)
    return replace(job, status=replace(job.status, on_top_since=now))


def _without_expiry(job: Job) -> Job:
    """Returns the job without an expiry time: otherwise, an expired job could not be requeued."""
    times = job.options.times
    if times.expires is None:
        return job
    return replace(job, options=replace(job.options, times=replace(times, expires=None)))


def _without_broken_dependencies(job: Job) -> Job:
    """Returns the job without dependencies that can no longer be satisfied: otherwise, it would be parked again.

    A job that uses a predecessor's model cannot run without that model.
    """
    if job.status.reason.code is not ReasonCode.DEPENDENCY_NEVER_SATISFIED or job.options.dependencies.models:
        return job
    return replace(job, status=replace(job.status, awaits=""))


def _without_useless_trials(job: Job) -> Job:
    """Returns a failed tuning job without its progress if no trial had a value: otherwise, only the rest would run."""
    if job.status.state is not JobState.FAILED:
        return job
    return replace(job, status=replace(job.status, tuning_progress=job.status.tuning_progress.after_failure))


def _without_time_to_save(job: Job, now: datetime) -> Job:
    stop = job.status.stop
    if stop is None or not stop.save_first:
        return job
    return replace(job, status=replace(job.status, stop=replace(stop, save_first=False), updated_at=now))


def _refuse_finished(job: Job) -> None:
    if job.is_finished:
        raise AlreadyFinished(job.name, job.status.state)


def _refuse_unqueued(job: Job) -> None:
    if not job.is_queued:
        _refuse_finished(job)
        message = f"{job.name} is {job.status.state}, so it is not waiting"
        raise NotQueued(message, remedy="Choose a waiting job: its state is pending or preempted.")
