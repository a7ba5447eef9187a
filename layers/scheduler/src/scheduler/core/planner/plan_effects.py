"""Applies the entries of a plan to jobs and attempts, for the plan executor and for predictions."""

from dataclasses import replace
from datetime import datetime

from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Attempt, attempt_name
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.plan import Evict, Grow, Launch, Park, Preempt

#: Maximum number of passes in one cycle. The next cycle does the remaining work.
MAX_PASSES = 20


def launched(entry: Launch, name_mark: str, now: datetime) -> LiveJob:
    """Returns the job with its reserved attempt, before SageMaker has created it."""
    job = transitions.launch(entry.job, entry.reason, now)
    attempt = Attempt(
        name=attempt_name(job.name, name_mark, job.status.attempts, job.spec.kind),
        job_name=job.name,
        number=job.status.attempts,
        demand=job.spec.demand,
        reserved_at=now,
        subnet=entry.subnet,
        keep_alive=entry.keep_alive,
        pool_key=job.spec.pool_key,
        on_pool=entry.pool.name if entry.pool else "",
        chain_since=entry.pool.instances_since if entry.pool else None,
    )
    return LiveJob(job, attempt)


def confirmed(live_job: LiveJob, now: datetime) -> LiveJob:
    """Returns the job after SageMaker has created its attempt."""
    return LiveJob(transitions.confirm_running(live_job.job, now), replace(live_job.attempt, created=True))


def preempted(entry: Preempt, now: datetime) -> LiveJob:
    job = transitions.preempt_for(entry.victim.job, entry.beneficiary, entry.reason, now, entry.continues_on)
    return replace(entry.victim, job=job)


def evicted(entry: Evict, now: datetime) -> LiveJob:
    return replace(entry.victim, job=transitions.evict(entry.victim.job, entry.reason, now))


def grown(entry: Grow, now: datetime) -> LiveJob:
    """Returns the job whose attempt is stopped so that the next attempt gets more instances."""
    job = transitions.grow(entry.live.job, entry.live.attempt.demand, entry.reason, now)
    return replace(entry.live, job=job)


def parked(entry: Park, now: datetime) -> Job:
    return transitions.park(entry.job, entry.reason, now)
