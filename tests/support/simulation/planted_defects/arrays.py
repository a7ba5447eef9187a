"""Defects in creating children of arrays, in recording their states, and in acting on them."""

from collections.abc import Sequence
from dataclasses import replace
from secrets import token_hex

import pytest

from scheduler.adapters.dynamodb.jobs.arrays import DynamoDBArrayStore
from scheduler.adapters.dynamodb.records.job_records import job_item
from scheduler.adapters.dynamodb.writes import ABSENT, put
from scheduler.core.jobs.job import NONCE_BYTES, Job
from scheduler.core.planner.planning import _JobDecisions
from scheduler.core.requests.arrays.job_array import ChildState, JobArray
from scheduler.cycle import arrays
from scheduler.cycle.arrays import Arrays
from scheduler.errors.refusals import NameTaken
from scheduler.ports.job_store import SCHEDULE


def create_in_two_writes(patches: pytest.MonkeyPatch) -> None:
    def create(self: DynamoDBArrayStore, array: JobArray, child: Job) -> JobArray:
        saved = self.save_array(array, by=SCHEDULE)
        sealed = replace(child, nonce=token_hex(NONCE_BYTES))
        self.table.transact(put(job_item(sealed, changed_by=SCHEDULE), ABSENT, refusal=NameTaken(child.name)))
        return saved

    patches.setattr(DynamoDBArrayStore, "create_child", create)


def check_only_after_ends(patches: pytest.MonkeyPatch) -> None:
    """Leaves out the check in sweeps, which catches ends that earlier checks missed."""
    patches.setattr(Arrays, "sweep", lambda _, token: token)


def let_all_children_run_at_once(patches: pytest.MonkeyPatch) -> None:
    """Ignores the limit both when children are created and when they start."""
    decide_all = _JobDecisions.decide_all

    def decide(self: _JobDecisions, jobs: Sequence[Job]) -> None:
        decide_all(self, [replace(job, place=job.place and replace(job.place, at_most=0)) for job in jobs])

    patches.setattr(_JobDecisions, "decide_all", decide)
    room = property(lambda array: 0 if array.next_index is None else array.count(ChildState.NOT_CREATED))
    patches.setattr(JobArray, "room", room)


def create_children_of_held_arrays(patches: pytest.MonkeyPatch) -> None:
    def next_index(array: JobArray) -> int | None:
        index = array.children.find(ChildState.NOT_CREATED)
        return None if index < 0 or array.end else index

    patches.setattr(JobArray, "next_index", property(next_index))


def go_on_after_too_many_failures(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(JobArray, "ended_if_failing", lambda array: array)


def let_waiting_children_of_ended_arrays_start(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(arrays, "as_array_asks", lambda child, *_: child)


def take_any_end_of_an_array_for_success(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(JobArray, "has_succeeded", property(lambda _: True))


def release_jobs_while_children_run(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(JobArray, "is_finished", property(lambda array: array.next_index is None))
