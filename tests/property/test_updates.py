"""Holds for every update of every waiting job: it changes what it names, once, and the next attempt follows it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.requests import attempt_request
from scheduler.core.requests.job_update import JobUpdate, updated
from support.builders.jobs import GPU, NOON, Choice, a_job

LATER = NOON + timedelta(hours=1)
WAITING = (JobState.PENDING, JobState.PREEMPTED, JobState.HELD, JobState.PARKED)
LIMITS = st.sampled_from([60, 3600, 86_400])
TIMES = st.sampled_from([f"2026-11-{day}T12:00:00+00:00" for day in (22, 23, 24)])
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "priority": st.integers(-9, 9),
        "never_preempt": st.booleans(),
        "idle_exempt": st.none() | st.booleans(),
        "retries": st.none() | st.integers(0, 5),
        "notify": st.none() | st.just(["start", "end"]),
        "deadline": st.none() | TIMES,
    },
)


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    job = a_job(state=draw(st.sampled_from(WAITING)), max_runtime=draw(LIMITS), priority=draw(st.integers(-9, 9)))
    if draw(st.booleans()):
        own = draw(st.none() | LIMITS)
        other = Choice(Demand.of({GPU: 2}), own or job.spec.max_runtime, has_own_limit=own is not None)
        choices = [Choice(job.spec.demand, job.spec.max_runtime), other]
        job = replace(job, choices=a_job(choices=choices).choices)
    return job


def shared(job: Job) -> dict[str, Any]:
    status = replace(job.status, actions=(), updated_at=NOON, on_top_since=None)
    return {"name": job.name, "submitted_at": job.submitted_at, "status": status, "digest": job.digest}


@given(jobs(), CHANGES, st.none() | LIMITS)
def test_an_update_changes_what_it_names_and_its_repeat_nothing(
    job: Job, options: dict[str, Any], limit: int | None
) -> None:
    update = JobUpdate(options, limit)
    changed = updated(job, update, "ada", LATER)
    assert updated(changed, update, "ada", LATER) is changed
    assert shared(changed) == shared(job)
    assert changed.options.priority == options.get("priority", job.options.priority)
    before, after = (of.choices or (of.spec,) for of in (job, changed))
    for old, new in zip(before, after, strict=True):
        assert new == replace(old, max_runtime=old.max_runtime if old.has_own_limit or not limit else limit)
    assert (changed is job) == (changed.options == job.options and after == before)


@given(jobs(), LIMITS, LIMITS, st.integers(0, 7200), st.booleans())
def test_an_attempt_runs_as_long_as_its_job_may_and_waits_for_spot_as_long_as_asked(
    job: Job, asked: int, limit: int, wait: int, has_left_spot: bool
) -> None:
    request = {"StoppingCondition": {"MaxRuntimeInSeconds": asked, "MaxWaitTimeInSeconds": asked + wait}}
    status = replace(job.status, on_demand=has_left_spot)
    job = replace(job, spec=replace(job.spec, max_runtime=limit), status=status)
    stopping = attempt_request.as_changed(request, job)["StoppingCondition"]
    assert stopping["MaxRuntimeInSeconds"] == limit
    assert stopping.get("MaxWaitTimeInSeconds", limit + wait) == limit + wait
    assert has_left_spot is ("MaxWaitTimeInSeconds" not in stopping)
