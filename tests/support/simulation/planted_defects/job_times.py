"""Defects in the times that users set."""

from datetime import datetime, timedelta

import pytest

from scheduler.core.calendar.times.timers import after_timer
from scheduler.core.jobs.job import Job, JobStatus
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner import planning
from scheduler.core.requests import job_building
from scheduler.cycle import job_times
from scheduler.cycle.job_times import Timers


def start_before_the_time(patches: pytest.MonkeyPatch) -> None:
    def submitted(_times: object, now: datetime, **_: bool) -> JobStatus:
        return JobStatus(JobState.PENDING, Reason(ReasonCode.SUBMITTED), now)

    patches.setattr(job_building, "first_status", submitted)
    patches.setattr(planning, "reason_to_wait", lambda *_: None)


def handle_no_timers(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Timers, "run", lambda _: None)


def expire_early(patches: pytest.MonkeyPatch) -> None:
    """Ends expiring jobs and releases deferred jobs ten minutes too early, if another timer is due."""

    def early(job: Job, now: datetime) -> Job:
        return after_timer(job, now + timedelta(minutes=10))

    patches.setattr(job_times, "after_timer", early)
