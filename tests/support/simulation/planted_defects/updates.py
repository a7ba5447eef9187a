"""Defects in the changes of jobs after their submission."""

import pytest

from scheduler.adapters.dynamodb.jobs import store
from scheduler.adapters.dynamodb.writes import Write
from scheduler.core.jobs.job import Job
from scheduler.core.requests import attempt_request
from scheduler.ports.job_store import API


def send_the_submitted_limit(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempt_request, "with_time_limit", lambda request, _: request)


def update_over_a_cycle(patches: pytest.MonkeyPatch) -> None:
    """Writes a user's change of a job even if a cycle has written the job since it was read."""
    rewrite = store.rewrite_job

    def without_condition(job: Job, *, by: str) -> Write:
        return rewrite(
            job, by=by, only_if="#version <= :version OR #version > :version" if by == API else "#version = :version"
        )

    patches.setattr(store, "rewrite_job", without_condition)
