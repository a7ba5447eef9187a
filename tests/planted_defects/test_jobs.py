"""Each property of approvals, arrays, dependencies and updates fails with a planted defect."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from property import (
    test_approvals,
    test_arrays,
    test_dependencies,
    test_updates,
)
from scheduler.core.jobs.dependencies.verdict import SATISFIED
from scheduler.core.jobs.job import Job, JobSpec
from scheduler.core.jobs.job_state import Approval
from scheduler.core.requests import attempt_request, job_update
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.cycle.arrays import Arrays
from scheduler.queue import submission
from support.memory.arrays import MemoryArrays
from support.planted_defects import Planted, expect_failure

_with_states = JobArray.with_states
_submit_array = MemoryArrays.submit_array


def limit_every_choice(job: Job, seconds: int | None) -> Job:
    limit = seconds or job.spec.max_runtime
    choices = tuple(replace(choice, max_runtime=limit) for choice in job.choices)
    return replace(job, spec=replace(job.spec, max_runtime=limit), choices=choices) if seconds else job


def set_the_limit_alone(request: dict[str, Any], spec: JobSpec) -> dict[str, Any]:
    return {**request, "StoppingCondition": {**request["StoppingCondition"], "MaxRuntimeInSeconds": spec.max_runtime}}


def mark_only(store: MemoryArrays, array: JobArray, _child: Job) -> JobArray:
    return store.save_array(array, by="schedule")


def count_an_end_twice(array: JobArray, states: Any, now: datetime) -> JobArray:
    ended = {index + 1: state for index, state in states.items() if state in "cf" and index + 1 < array.size}
    return _with_states(array, ended | states, now)


def without_at_most(store: MemoryArrays, array: JobArray, *rest: Any) -> None:
    _submit_array(store, replace(array, at_most=0), *rest)


PLANTED: dict[str, Planted] = {
    "an approval covers a longer time limit": (
        test_approvals.test_an_approval_covers_exactly_the_choices_whose_limits_are_no_longer_than_approved,
        (Approval, "covers", lambda *_: True),
    ),
    "an approval covers a shorter time limit only": (
        test_approvals.test_an_approval_covers_exactly_the_choices_whose_limits_are_no_longer_than_approved,
        (Approval, "covers", lambda self, choice, limit: choice < len(self.limits) and limit < self.limits[choice]),
    ),
    "a child is marked as created and is not": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (MemoryArrays, "create_child", mark_only),
    ),
    "the end of a child counts twice": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (JobArray, "with_states", count_an_end_twice),
    ),
    "an array runs more children at once than it allows": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (MemoryArrays, "submit_array", without_at_most),
    ),
    "an array ignores its limit of failures": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (JobArray, "ended_if_failing", lambda array: array),
    ),
    "an array with failures counts as a success": (
        test_arrays.test_a_job_starts_exactly_if_the_array_before_it_ended_as_asked,
        (JobArray, "has_succeeded", property(lambda _: True)),
    ),
    "an array ends before its last children": (
        test_arrays.test_a_job_starts_exactly_if_the_array_before_it_ended_as_asked,
        (JobArray, "is_finished", property(lambda array: array.next_index is None)),
    ),
    "a job may wait for a job or an array that does not exist yet": (
        test_dependencies.test_jobs_and_arrays_never_wait_for_each_other,
        (submission, "verdict_on", lambda *_: SATISFIED),
    ),
    "no sweep checks arrays": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (Arrays, "sweep", lambda _, token: token),
    ),
    "an update changes the limit of every alternative": (
        test_updates.test_an_update_changes_what_it_names_and_its_repeat_nothing,
        (job_update, "_with_time_limit", limit_every_choice),
    ),
    "a new time limit shortens the wait for spot instances": (
        test_updates.test_an_attempt_runs_as_long_as_its_job_may_and_waits_for_spot_as_long_as_asked,
        (attempt_request, "with_time_limit", set_the_limit_alone),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_failure(PLANTED[name], monkeypatch)
