"""What people's wishes make of a job. A wish that is fulfilled already leaves the very same job; one that cannot be
fulfilled raises WrongJobState with the truth about the job.
"""

from datetime import datetime

from attrs import evolve

from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.job import Job, JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.transitions import waiting_state
from scheduler.errors.refusals import AlreadyCancelled, AlreadyFinished, BadRequest, NotHeld, NotQueued, StillHeld

#: After these stops the job waits again.
_COMES_BACK = frozenset({StopCause.PREEMPTION, StopCause.SPOT, StopCause.REQUEUE})
#: States from which another attempt can be asked for though the job does not wait and holds nothing.
_STRANDED = frozenset({JobState.PARKED, JobState.FAILED, JobState.STOPPED})


def cancel(job: Job, caller: str, now: datetime) -> Job:
    """Ended if it waits, else stopping. It replaces any other wish to stop."""
    if job.was_cancelled:
        return job
    _refuse_finished(job)
    reason = Reason(ReasonCode.CANCELLED, f"cancelled by {caller}")
    job = job.with_action(ActionKind.CANCELLED, now, by=caller)
    if not job.is_live:
        return evolve(job, state=JobState.STOPPED, reason=reason, updated_at=now)
    stop = Stop(StopCause.CANCELLATION, asked_at=now, asked_by=caller)
    return evolve(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def hold(job: Job, caller: str, now: datetime) -> Job:
    """Kept back from the queue until it is released."""
    if job.state is JobState.HELD:
        return job
    _refuse_unqueued(job)
    reason = Reason(ReasonCode.HELD, f"held by {caller}")
    job = job.with_action(ActionKind.HELD, now, by=caller)
    return evolve(job, state=JobState.HELD, reason=reason, updated_at=now)


def release(job: Job, caller: str, now: datetime) -> Job:
    """Back to the queue, with the age that it had."""
    if job.is_queued:
        return job
    if job.state is not JobState.HELD:
        _refuse_finished(job)
        raise NotHeld(f"{job.name} is {job.state}, not held", remedy="Only a held job can be released.")
    job = job.with_action(ActionKind.RELEASED, now, by=caller)
    return evolve(job, state=waiting_state(job), reason=Reason(ReasonCode.SUBMITTED), updated_at=now)


def unpark(job: Job, caller: str, now: datetime) -> Job:
    """Somebody asks to try again, because what kept the job from running may be mended."""
    if job.state is not JobState.PARKED:
        return job
    job = job.with_action(ActionKind.UNPARKED, now, by=caller)
    return evolve(job, state=waiting_state(job), reason=Reason(ReasonCode.SUBMITTED), updated_at=now)


def requeue(job: Job, caller: str, now: datetime, after: int | None = None) -> Job:
    """Another attempt: at once for a job that failed or was stopped, after the end of the live one otherwise.

    It is one after the attempt of the number `after`: where a later one is known, the wish is fulfilled.
    """
    _refuse_unknown_attempt(job, after)
    if job.is_queued or _comes_back(job) or (after is not None and after < job.latest_attempt):
        return job
    _refuse_requeue(job)
    reason = Reason(ReasonCode.REQUEUED, f"requeued by {caller}")
    job = job.with_action(ActionKind.REQUEUED, now, by=caller)
    if not job.is_live:
        return evolve(job, state=waiting_state(job), reason=reason, updated_at=now)
    stop = Stop(StopCause.REQUEUE, asked_at=now, asked_by=caller)
    return evolve(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def prioritise(job: Job, priority: int, caller: str, now: datetime) -> Job:
    """Another priority, from now on and for all that is decided about the job. A place on top is not taken along."""
    _refuse_finished(job)
    if job.priority == priority:
        return job
    job = job.with_action(ActionKind.PRIORITISED, now, f"from {job.priority} to {priority}", caller)
    return evolve(job, priority=priority, on_top_since=None, updated_at=now)


def move_to_top(job: Job, caller: str, now: datetime, *, is_first: bool) -> Job:
    """Before all other queued jobs of its priority; it may be the first already."""
    _refuse_unqueued(job)
    if is_first and job.on_top_since is not None:
        return job
    return evolve(job.with_action(ActionKind.TOPPED, now, by=caller), on_top_since=now, updated_at=now)


def _comes_back(job: Job) -> bool:
    return job.stop is not None and job.stop.cause in _COMES_BACK


def _refuse_unknown_attempt(job: Job, number: int | None) -> None:
    if number is not None and not 0 <= number <= job.latest_attempt:
        raise BadRequest(
            f"{job.name} has no attempt {number}",
            field="attempt",
            remedy=f"Its latest attempt is {job.latest_attempt}; leave the number out to mean that one.",
        )


def _refuse_finished(job: Job) -> None:
    if job.is_finished:
        raise AlreadyFinished(job.name, job.state)


def _refuse_unqueued(job: Job) -> None:
    if not job.is_queued:
        _refuse_finished(job)
        raise NotQueued(
            f"{job.name} is {job.state} and does not wait in the queue",
            remedy="This is possible for jobs that are pending or preempted.",
        )


def _refuse_requeue(job: Job) -> None:
    if job.state is JobState.HELD:
        raise StillHeld(f"{job.name} is held", remedy="Release it.")
    if job.is_finished and job.state not in _STRANDED:
        raise AlreadyFinished(job.name, job.state)
    if job.is_live and job.was_cancelled:
        raise AlreadyCancelled(f"{job.name} is being cancelled", remedy="Requeue it when it has stopped.")
