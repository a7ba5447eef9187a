"""The job of a name that somebody gives."""

import re

from scheduler.core.jobs.job import Job
from scheduler.errors.internal import UnknownJob
from scheduler.ports.job_store import JobStore

JOB_NAME = re.compile(r"[a-zA-Z0-9-]{1,63}")


def job_named(store: JobStore, name: str) -> Job:
    """The job that somebody asks for, in whatever spelling. Raises UnknownJob."""
    if not JOB_NAME.fullmatch(name):  # the table refuses keys of any length and kind
        raise UnknownJob(name)
    return store.get(name)
