"""When a job on spot instances goes on on demand: it was interrupted too often, or no instances came."""

from datetime import datetime, timedelta

from attrs import evolve

from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import FailureClass, Observation, Outcome
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.transitions import waiting_state
from scheduler.core.retries.retry_policy import LeavingSpot


def may_leave_spot(live: LiveJob, observation: Observation) -> bool:
    """Whether it depends on the settings: not of one that got its instances and kept them."""
    if live.job.state is not JobState.RUNNING or live.job.on_demand:
        return False
    was_interrupted = observation.interruptions or any(past.interruptions for past in live.job.history)
    return bool(was_interrupted) or live.attempt.without_instances_since(observation) is not None


def reason_to_leave_spot(
    live: LiveJob, observation: Observation, settings: LeavingSpot, now: datetime
) -> Reason | None:
    """Why the live attempt of a spot job is stopped; None if it goes on."""
    if not may_leave_spot(live, observation):
        return None
    before = sum(past.interruptions for past in live.job.history)
    interruptions = before + observation.interruptions
    if interruptions > settings.interruptions:
        return _reason(f"its spot instances were taken away {interruptions} times")
    since = live.attempt.without_instances_since(observation)
    if since and now - since > timedelta(seconds=settings.wait):
        return _reason(f"no spot instances came within {settings.wait} seconds")
    return None


def leave_spot_at_wait_limit(job: Job, now: datetime) -> Job:
    """The job after it was `stopped_at_wait_limit`: it waits again, for instances on demand."""
    past = evolve(job.history[-1], failure_class=FailureClass.SPOT, action="goes on on demand")
    reason = _reason("no spot instances came within MaxWaitTimeInSeconds")
    return evolve(
        job.with_action(ActionKind.LEFT_SPOT, now, reason.message),
        state=waiting_state(job),
        reason=reason,
        on_demand=True,
        history=(*job.history[:-1], past),
    )


def stopped_at_wait_limit(job: Job) -> bool:
    if job.on_demand or job.state is not JobState.STOPPED or not job.history:
        return False
    past = job.history[-1]
    return past.outcome is Outcome.TIME_LIMIT and past.secondary_status == "MaxWaitTimeExceeded"


def _reason(message: str) -> Reason:
    return Reason(ReasonCode.LEAVES_SPOT, f"{message}: it goes on on demand")
