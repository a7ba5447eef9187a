"""Defects in the handling of jobs that wait for other jobs."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from scheduler.adapters.dynamodb.jobs import store
from scheduler.core.jobs.dependencies import successors
from scheduler.core.jobs.dependencies.verdict import Verdict, verdict_on
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.start_conditions import JobDependencies
from scheduler.cycle.attempts import creation
from scheduler.cycle.successors import Successors
from scheduler.queue import submission


def wait_for_no_job(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(submission, "at_submission", lambda job, *_: job)


def take_any_end_for_success(patches: pytest.MonkeyPatch) -> None:
    def lenient(dependencies: JobDependencies, predecessors: Mapping[str, Job]) -> Verdict:
        completed = {
            name: replace(job, status=replace(job.status, state=JobState.COMPLETED)) if job.is_finished else job
            for name, job in predecessors.items()
        }
        return verdict_on(dependencies, completed)

    patches.setattr(successors, "verdict_on", lenient)


def start_without_models(patches: pytest.MonkeyPatch) -> None:
    """Leaves the placeholders in the request, and omits the check for them."""
    patches.setattr(store, "with_models", lambda request, _: request)
    patches.setattr(creation, "require_models", lambda _: None)


def check_only_after_ends(patches: pytest.MonkeyPatch) -> None:
    """Leaves out the check in sweeps, which catches ends that earlier checks missed."""
    patches.setattr(Successors, "sweep", lambda _, token: token)


def release_after_the_first_end(patches: pytest.MonkeyPatch) -> None:
    def hasty(dependencies: JobDependencies, predecessors: Mapping[str, Job]) -> Verdict:
        ended = {name: job for name, job in predecessors.items() if job.is_finished}
        kept = {
            option: tuple(name for name in getattr(dependencies, option) if name in ended)
            for option in ("after_ok", "after_any", "after_not_ok")
        }
        return verdict_on(replace(dependencies, **kept) if ended else dependencies, predecessors)  # type: ignore[arg-type]  # names of options

    patches.setattr(successors, "verdict_on", hasty)
