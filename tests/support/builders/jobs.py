"""Builds jobs, attempts and observations with defaults; a test names only the fields that matter to it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from scheduler.core.jobs.attempt import Attempt, Observation, attempt_name
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
GPU = "ml.g5.xlarge"


def a_job(name: str = "resnet", **changes: Any) -> Job:
    job = Job(
        name=name,
        state=JobState.PENDING,
        priority=0,
        demand=Demand.of({GPU: 1}),
        submitted_at=NOON,
        updated_at=NOON,
        owner="arn:aws:sts::123456789012:assumed-role/Scientist/ada",
        digest="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        reason=Reason(ReasonCode.SUBMITTED, ""),
        max_runtime=86400,
    )
    return replace(job, **changes)


def an_attempt(job: Job, number: int = 1, **changes: Any) -> Attempt:
    name = attempt_name(job.name, "sq", number)
    return replace(Attempt(name, job.name, number, job.demand, reserved_at=NOON), **changes)


def a_sighting(status: str = "InProgress", **changes: Any) -> Observation:
    return replace(Observation(status, secondary_status="Training", modified_at=NOON), **changes)


def launching(job: Job) -> Job:
    return replace(job, state=JobState.LAUNCHING, attempts=job.attempts + 1)
