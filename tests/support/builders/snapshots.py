"""Builds snapshots for tests of the planner."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.warm_pool import WarmPool
from support.builders.jobs import GPU, NOON, a_job, an_attempt


def gpus(count: int) -> Demand:
    return Demand.of({GPU: count})


def waiting(name: str, priority: int = 0, *, needs: int = 1, after: int = 0, **changes: Any) -> Job:
    """Returns a queued job that was submitted `after` minutes after noon."""
    submitted = NOON + timedelta(minutes=after)
    return a_job(name, priority=priority, submitted_at=submitted, **{"demand": gpus(needs)} | changes)


def running(name: str, priority: int = 0, *, holds: int = 1, after: int = 0, **changes: Any) -> LiveJob:
    job = waiting(name, priority, needs=holds, after=after, **{"state": JobState.RUNNING, "attempts": 1} | changes)
    reserved = NOON + timedelta(minutes=after)
    return LiveJob(job, replace(an_attempt(job), created=True, reserved_at=reserved))


def training(live: LiveJob, *, script_at: datetime | None = None, interruptions: int = 0) -> LiveJob:
    """Returns the attempt in training since its instances were reserved. Its script began or resumed at `script_at`."""
    began = live.attempt.reserved_at
    seen = Observation("InProgress", "Training", began, training_started_at=began, training_since=script_at or began)
    return replace(live, attempt=replace(live.attempt, observation=replace(seen, interruptions=interruptions)))


def stopping(name: str, priority: int = 0, *, holds: int = 1) -> LiveJob:
    return running(name, priority, holds=holds, state=JobState.STOPPING)


def pool(name: str, *, holds: int = 1, kind: str = GPU) -> WarmPool:
    """Returns the warm pool that a finished job's attempt left."""
    return WarmPool.left_by(an_attempt(waiting(name, demand=Demand.of({kind: holds}))))


def a_snapshot(budget: int, *jobs: Job | LiveJob) -> Snapshot:
    live = tuple(job for job in jobs if isinstance(job, LiveJob))
    queued = tuple(job for job in jobs if isinstance(job, Job))
    return Snapshot(Budget(gpus(budget), (GPU,)), live, queued)
