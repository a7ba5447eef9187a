"""Builds jobs, attempts and observations with defaults. A test sets only the fields that matter to it."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from scheduler.core.jobs.attempt import Attempt, Observation, attempt_name
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job, JobOptions, JobSpec, JobStatus
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
GPU = "ml.g5.xlarge"
_GROUPS = {"spec": JobSpec, "options": JobOptions, "status": JobStatus}


@dataclass(frozen=True)
class Choice:
    """The members of a job's spec that depend on its choice."""

    demand: Demand
    max_runtime: int
    spot: bool = False
    wait_for_better: int = 0
    keep_alive: int = 0
    pool_key: str = ""
    has_own_limit: bool = False


def a_job(name: str = "resnet", **changes: Any) -> Job:
    job = Job(
        name=name,
        owner="arn:aws:sts::123456789012:assumed-role/Scientist/ada",
        digest="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        submitted_at=NOON,
        spec=JobSpec(Demand.of({GPU: 1}), max_runtime=86400),
        options=JobOptions(priority=0),
        status=JobStatus(JobState.PENDING, Reason(ReasonCode.SUBMITTED, ""), NOON),
    )
    return changed_job(job, **changes)


def changed_job(job: Job, *, choices: Iterable[Choice] | None = None, **changes: Any) -> Job:
    """Returns the job with these fields changed, whether they belong to its spec, options or status."""
    for group, kind in _GROUPS.items():
        values = {field.name: changes.pop(field.name) for field in fields(kind) if field.name in changes}
        job = replace(job, **{group: replace(getattr(job, group), **values)}) if values else job
    if choices is not None:
        specs = (_spec_of(job.spec, choice, number) for number, choice in enumerate(choices))
        job = replace(job, choices=tuple(specs))
    return replace(job, **changes)


def _spec_of(spec: JobSpec, choice: Choice, number: int) -> JobSpec:
    return replace(spec, **{field.name: getattr(choice, field.name) for field in fields(choice)}, choice=number)


def an_attempt(job: Job, number: int = 1, **changes: Any) -> Attempt:
    name = attempt_name(job.name, "sq", number, job.spec.kind)
    return replace(Attempt(name, job.name, number, job.spec.demand, reserved_at=NOON), **changes)


def a_sighting(status: str = "InProgress", **changes: Any) -> Observation:
    return replace(Observation(status, secondary_status="Training", modified_at=NOON), **changes)


def unsealed(job: Job) -> Job:
    """Returns a stored job as submitted, without the values by which the store recognises its bodies and attempts."""
    assert job.body_digests
    assert job.nonce
    return replace(job, body_digests=(), nonce="")


def launching(job: Job) -> Job:
    return changed_job(job, state=JobState.LAUNCHING, attempts=job.status.attempts + 1)
