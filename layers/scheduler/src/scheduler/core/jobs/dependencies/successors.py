"""Decides how a job changes when its predecessors change: it is released, keeps waiting, is parked or ends."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from scheduler.core.jobs import transitions
from scheduler.core.jobs.dependencies.predecessor import Predecessor
from scheduler.core.jobs.dependencies.verdict import Outlook, Verdict, verdict_on, waits_for_job
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import QUEUE, ActionKind, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.start_conditions import IfNeverSatisfied


def after_check(job: Job, predecessors: Mapping[str, Predecessor], now: datetime) -> Job:
    """Returns the job in the state that its predecessors allow; the same object if nothing changes."""
    if not job.follows_others:
        return job
    verdict = verdict_on(job.options.dependencies, predecessors)
    match verdict.outlook:
        case Outlook.SATISFIED:
            return _release(_with_models(job, predecessors), now)
        case Outlook.WAITS:
            return _wait(job, verdict, now)
        case Outlook.NEVER:
            return _give_up(job, verdict, now)


def at_submission(job: Job, verdict: Verdict, predecessors: Mapping[str, Predecessor]) -> Job:
    """Returns the new job, which waits for the first of its predecessors that has not ended."""
    if verdict.outlook is not Outlook.WAITS:
        return _with_models(job, predecessors)
    job = _awaiting(job, verdict.predecessor)
    has_no_other_reason = job.status.reason.code is ReasonCode.SUBMITTED
    reason = (waits_for_job(job) if has_no_other_reason else None) or job.status.reason
    return replace(job, status=replace(job.status, reason=reason))


def _with_models(job: Job, predecessors: Mapping[str, Predecessor]) -> Job:
    """Returns the job with the models that its request uses. They never change: a completed job cannot run again."""
    names = job.options.dependencies.models
    if not names:
        return job
    models = tuple((name, predecessors[name].model_artifacts) for name in names)
    return replace(job, status=replace(job.status, models=models))


def _release(job: Job, now: datetime) -> Job:
    job = replace(job, status=replace(job.status, awaits="", released_at=now))
    return _back_in_queue(job, Reason(ReasonCode.SUBMITTED), now)


def _wait(job: Job, verdict: Verdict, now: datetime) -> Job:
    if job.is_queued and job.status.awaits == verdict.predecessor:
        return job
    job = _awaiting(job, verdict.predecessor)
    return _back_in_queue(job, Reason(ReasonCode.WAITS_FOR_JOB, verdict.message, waits_for=verdict.predecessor), now)


def _give_up(job: Job, verdict: Verdict, now: datetime) -> Job:
    if not job.is_queued and job.status.awaits == verdict.predecessor:
        return job  # it is parked for this predecessor
    job = _awaiting(job, verdict.predecessor)
    reason = Reason(ReasonCode.DEPENDENCY_NEVER_SATISFIED, verdict.message, waits_for=verdict.predecessor)
    if job.options.dependencies.if_never_satisfied is IfNeverSatisfied.PARK:
        return transitions.park(job, reason, now)
    return job.with_action(ActionKind.CANCELLED, now, reason.message).moved_to(JobState.STOPPED, reason, now)


def _back_in_queue(job: Job, reason: Reason, now: datetime) -> Job:
    if not job.is_queued:
        job = job.with_action(ActionKind.UNPARKED, now, by=QUEUE)
    return job.moved_to(transitions.waiting_state(job), reason, now)


def _awaiting(job: Job, name: str) -> Job:
    return replace(job, status=replace(job.status, awaits=name))
