"""Finds the job of a name that a user gives."""

import re

from scheduler.core.jobs.job import Job
from scheduler.errors.internal import UnknownJob
from scheduler.ports.job_store import JobStore

JOB_NAME = re.compile(r"[a-zA-Z0-9-]{1,63}")


def job_named(jobs: JobStore, name: str) -> Job:
    """Returns the job of this name. Raises UnknownJob, also for an invalid name."""
    if not JOB_NAME.fullmatch(name):  # the table rejects some keys, such as empty or long ones
        raise UnknownJob(name)
    return jobs.get(name)
