"""Decides when a spot job continues on demand: it was interrupted too often, or got no instances."""

from dataclasses import replace
from datetime import datetime, timedelta

from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import FailureClass, Observation, Outcome
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.transitions import waiting_state
from scheduler.core.retries.retry_policy import LeavingSpot


def may_leave_spot(live: LiveJob, observation: Observation) -> bool:
    """Returns whether the settings decide: a job that got its instances and kept them stays on spot."""
    if live.job.status.state is not JobState.RUNNING or live.job.status.on_demand:
        return False
    was_interrupted = observation.interruptions or any(ended.interruptions for ended in live.job.status.history)
    return bool(was_interrupted) or live.attempt.without_instances_since(observation) is not None


def reason_to_leave_spot(
    live: LiveJob, observation: Observation, settings: LeavingSpot, now: datetime
) -> Reason | None:
    """Returns why the live attempt of a spot job is stopped, or None if it stays on spot."""
    if not may_leave_spot(live, observation):
        return None
    before = sum(ended.interruptions for ended in live.job.status.history)
    interruptions = before + observation.interruptions
    if interruptions > settings.interruptions:
        return _reason(f"it lost its spot instances {interruptions} times")
    since = live.attempt.without_instances_since(observation)
    if since and now - since > timedelta(seconds=settings.wait):
        return _reason(f"it got no spot instances within {settings.wait} seconds")
    return None


def leave_spot_at_wait_limit(job: Job, now: datetime) -> Job:
    """Returns a job that was `stopped_at_wait_limit` to the queue, for on-demand instances."""
    ended = replace(job.status.history[-1], failure_class=FailureClass.SPOT, action="continues on demand")
    reason = _reason("it got no spot instances within MaxWaitTimeInSeconds")
    job = job.with_last_attempt(ended).with_action(ActionKind.LEFT_SPOT, now, reason.message)
    status = replace(job.status, state=waiting_state(job), reason=reason, on_demand=True)
    return replace(job, status=status)


def stopped_at_wait_limit(job: Job) -> bool:
    if job.status.on_demand or job.status.state is not JobState.STOPPED or not job.status.history:
        return False
    ended = job.status.history[-1]
    return ended.outcome is Outcome.TIME_LIMIT and ended.secondary_status == "MaxWaitTimeExceeded"


def _reason(message: str) -> Reason:
    return Reason(ReasonCode.LEAVES_SPOT, f"{message}: it continues on demand")
